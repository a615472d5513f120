/** Which persona is meant; the choice is in the address (`persona=`), so pages that show it agree. */
import { Select } from "@mantine/core";
import { $api } from "../api/client";
import { useParam } from "../router";

export function usePersona(): string | null {
  return useParam("persona")[0] || null;
}

/** The personas that the user has talked with. */
export function usePersonas(enabled = true) {
  return $api.useQuery("get", "/v1/state", {}, { enabled, select: (state) => state.personas });
}

export function PersonaSelect() {
  const [persona, setPersona] = useParam("persona");
  const known = usePersonas().data ?? [];
  if (known.length < 2 && !persona) return null;
  return (
    <Select
      aria-label="Persona"
      placeholder="All personas"
      clearable
      clearButtonProps={{ "aria-label": "All personas" }}
      w={160}
      data={known.includes(persona) || !persona ? known : [...known, persona]}
      value={persona || null}
      onChange={(chosen) => setPersona(chosen ?? "")}
    />
  );
}
