/** The slider through time: at its end one sees what is known now, anywhere else what was known then, and can only read. */
import { Button, Slider, Text } from "@mantine/core";
import { History } from "lucide-react";
import { useEffect, useState } from "react";
import { $api } from "../../../api/client";
import { onDay } from "../../../parts/relative-time";
import { useParam } from "../../../router";
import classes from "../memories.module.css";
import { momentOf, stepOf, steps } from "../moments";

export function AsOf() {
  const [moment, setMoment] = useParam("as_of");
  const [now] = useState(() => new Date());
  const stats = $api.useQuery("get", "/memories/stats", {});
  const begun = stats.data?.growth[0]?.week;
  const first = begun ? new Date(begun) : now;
  const last = steps(first, now);
  const [step, setStep] = useState(last);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `first` and `now` follow from these
  useEffect(() => setStep(stepOf(moment, first, now)), [moment, begun]);

  if (!begun) return null;
  const label = (at: number) => (at >= last ? "now" : onDay(momentOf(at, first, now)));
  return (
    <div className={classes.asOf} data-past={moment ? true : undefined}>
      <Text size="xs" c="dimmed" className={classes.asOfName}>
        <History size={14} aria-hidden /> As of <b>{label(step)}</b>
      </Text>
      <Slider
        className={classes.slider}
        size={3}
        thumbSize={14}
        color={moment ? "yellow.7" : "gray.6"}
        min={0}
        max={last}
        value={Math.min(step, last)}
        onChange={setStep}
        onChangeEnd={(at) => setMoment(momentOf(at, first, now))}
        label={label}
        thumbLabel="As of"
        thumbValueText={label(step)}
      />
      {moment && (
        <Button size="compact-xs" variant="light" onClick={() => setMoment("")}>
          Back to now
        </Button>
      )}
    </div>
  );
}
