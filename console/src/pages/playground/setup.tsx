/** How to answer: by which model, as whom, with which instructions and passages. */
import { Autocomplete, Button, Collapse, NumberInput, Switch, Textarea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { SlidersHorizontal } from "lucide-react";
import { usePersonas } from "../../parts/persona-select";
import classes from "./playground.module.css";
import type { Setup } from "./request";

export interface SetupProps {
  setup: Setup;
  models: string[];
  /** No model connected: only the context can be shown. */
  without: boolean;
  onChange: (changes: Partial<Setup>) => void;
}

export function SetupFields({ setup, models, without, onChange }: SetupProps) {
  const personas = usePersonas();
  return (
    <>
      <Autocomplete
        aria-label="Model"
        size="xs"
        w={170}
        placeholder="Default model"
        data={models}
        value={setup.model}
        onChange={(model) => onChange({ model })}
      />
      <Autocomplete
        aria-label="Persona"
        size="xs"
        w={140}
        placeholder="No persona"
        data={personas.data ?? []}
        value={setup.persona}
        onChange={(persona) => onChange({ persona })}
      />
      <Switch
        size="xs"
        label="Don't call the model"
        checked={setup.contextOnly || without}
        disabled={without}
        onChange={(event) => onChange({ contextOnly: event.currentTarget.checked })}
      />
      {!setup.contextOnly && !without && (
        <Switch
          size="xs"
          label="Model may save memories"
          checked={setup.tools}
          onChange={(event) => onChange({ tools: event.currentTarget.checked })}
        />
      )}
    </>
  );
}

/** What is set more rarely. Instructions and sources are for a model that answers; memory does not depend on them. */
export function MoreSetup({ setup, onChange }: Pick<SetupProps, "setup" | "onChange">) {
  const [open, { toggle }] = useDisclosure();
  return (
    <div>
      <Button
        variant="subtle"
        color="gray"
        size="compact-xs"
        fw={400}
        aria-expanded={open}
        leftSection={<SlidersHorizontal size={13} aria-hidden />}
        onClick={toggle}
      >
        {setup.contextOnly ? "Budget" : "Instructions, sources and budget"}
      </Button>
      <Collapse expanded={open}>
        <div className={classes.more}>
          {!setup.contextOnly && (
            <>
              <Textarea
                size="xs"
                label="Instructions"
                description="How to answer; placed before everything else."
                autosize
                minRows={2}
                maxRows={6}
                value={setup.instructions}
                onChange={(event) => onChange({ instructions: event.currentTarget.value })}
              />
              <Textarea
                size="xs"
                label="Sources"
                description="Passages to answer from, with an empty line between two."
                autosize
                minRows={2}
                maxRows={6}
                value={setup.sources}
                onChange={(event) => onChange({ sources: event.currentTarget.value })}
              />
            </>
          )}
          <NumberInput
            size="xs"
            label="Budget"
            description="Tokens of memory."
            min={200}
            max={200_000}
            step={500}
            clampBehavior="blur"
            value={setup.budget}
            onChange={(budget) => typeof budget === "number" && onChange({ budget })}
          />
        </div>
      </Collapse>
    </div>
  );
}
