/** Which persona is meant; the choice is in the address (`persona=`), so pages that show it agree. */
import { Select } from "@mantine/core";
import { $api } from "../api/client";
import { useParam } from "../router";

export function usePersona(): string | null {
  return useParam("persona")[0] || null;
}

export function PersonaSelect() {
  const [persona, setPersona] = useParam("persona");
  const personas = $api.useQuery("get", "/v1/personas", {});
  const known = personas.data?.personas ?? [];
  if (known.length < 2 && !persona) return null;
  return (
    <Select
      aria-label="Persona"
      placeholder="Every persona"
      clearable
      clearButtonProps={{ "aria-label": "Every persona" }}
      w={160}
      data={known.includes(persona) || !persona ? known : [...known, persona]}
      value={persona || null}
      onChange={(chosen) => setPersona(chosen ?? "")}
    />
  );
}
