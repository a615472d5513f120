/** One entity: the card that the model gets, its other names, what is known, and who is mentioned with it. */
import { Button, Stack, Text } from "@mantine/core";
import { $api, type Shape } from "../../api/client";
import { Answer } from "../../parts/answer";
import { UserText } from "../../parts/user-text";
import { Head } from "./detail-head";
import { Memories, Names, Together } from "./detail-parts";
import classes from "./entities.module.css";
import { Part } from "./part";

type Details = Shape<"DetailsShape">;

export interface DetailProps {
  entityKey: string;
  onChoose: (key: string) => void;
}

export function Detail({ entityKey, onChoose }: DetailProps) {
  const details = $api.useQuery("get", "/v1/entities/{key}", { params: { path: { key: entityKey } } });
  return (
    <section
      className={classes.detail}
      aria-label="Entity"
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.defaultPrevented) onChoose("");
      }}
    >
      <div className={classes.within}>
        <Answer of={details}>{(entity) => <Known entity={entity} onChoose={onChoose} />}</Answer>
        {details.isError && (
          <Button mt="sm" size="xs" variant="default" onClick={() => onChoose("")}>
            Back to the names
          </Button>
        )}
      </div>
    </section>
  );
}

function Known({ entity, onChoose }: { entity: Details; onChoose: (key: string) => void }) {
  return (
    <Stack gap="lg">
      <Head entity={entity} onChoose={onChoose} />
      <Names entity={entity} />
      <Part title="Card" lead="What the model sees when this name comes up.">
        {entity.card ? (
          <ul className={classes.card}>
            {entity.card.facts.map((fact, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two facts may say the same
              <li key={index}>
                <Text size="sm" component="div">
                  <UserText>{fact}</UserText>
                </Text>
              </li>
            ))}
          </ul>
        ) : (
          <Text size="sm" c="dimmed">
            None yet: a card needs a fact of importance 7 or more, or a pinned one.
          </Text>
        )}
      </Part>
      <Together entity={entity} />
      <Memories entity={entity} />
    </Stack>
  );
}
