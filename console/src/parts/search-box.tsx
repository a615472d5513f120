/** The search field of a page; `/` leads to it from anywhere. What is typed counts after a short rest. */
import { CloseButton, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { Search } from "lucide-react";
import { useEffect, useState } from "react";

/** Milliseconds without a key. */
const REST = 250;

export interface SearchBoxProps {
  label: string;
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
}

export function SearchBox({ label, placeholder, value, onChange }: SearchBoxProps) {
  const [typed, setTyped] = useState(value);
  const settle = useDebouncedCallback(onChange, REST);
  useEffect(() => setTyped(value), [value]);
  return (
    <TextInput
      type="search"
      data-search
      aria-label={label}
      placeholder={placeholder ?? label}
      leftSection={<Search size={16} aria-hidden />}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        settle(event.currentTarget.value);
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") onChange(typed);
        if (event.key === "Escape" && typed) {
          setTyped("");
          onChange("");
        }
      }}
      rightSection={
        typed ? (
          <CloseButton
            size="sm"
            aria-label="Clear the search"
            onClick={() => {
              setTyped("");
              onChange("");
            }}
          />
        ) : null
      }
    />
  );
}
