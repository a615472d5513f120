/** Keys that work everywhere, and the list of them behind `?`. Never while somebody types or a dialog is open. */
import { Kbd, Modal, Table } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { go, to } from "../router";
import { DESTINATIONS } from "./destinations";

/** Milliseconds in which a second key belongs to the first. */
const TOGETHER = 1200;

function isTaken(event: KeyboardEvent): boolean {
  const target = event.target instanceof HTMLElement ? event.target : null;
  return (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    event.defaultPrevented ||
    Boolean(target?.closest("input, textarea, select, [contenteditable=true], [role=dialog]")) ||
    Boolean(document.querySelector("[role=dialog]"))
  );
}

export function Shortcuts() {
  const [open, setOpen] = useState(false);
  const pressed = useRef(0);

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (isTaken(event)) return;
      const destination = DESTINATIONS.find(({ key }) => key === event.key);
      if (destination && event.timeStamp - pressed.current < TOGETHER) go(to(destination.path));
      else if (event.key === "?") setOpen(true);
      else if (event.key === "/") document.querySelector<HTMLElement>("input[data-search]")?.focus();
      else if (event.key === "g") {
        pressed.current = event.timeStamp;
        return;
      } else return;
      pressed.current = 0;
      event.preventDefault();
    }
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);

  const rows: [string[], string][] = [
    ...DESTINATIONS.map(({ key, name }): [string[], string] => [["g", key], name]),
    [["/"], "Search on this page"],
    [["?"], "These keys"],
    [["Esc"], "Close what is open"],
  ];
  return (
    <Modal
      opened={open}
      onClose={() => setOpen(false)}
      title="Keys"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <Table>
        <Table.Tbody>
          {rows.map(([keys, name]) => (
            <Table.Tr key={name}>
              <Table.Td w={90}>
                {keys.map((key) => (
                  <Kbd key={key} mr={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>{name}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
