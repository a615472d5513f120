/** A line at the edge of the screen that goes by itself: something was done, or could not be done. */
import { notifications } from "@mantine/notifications";
import { advice, sentence } from "../api/errors";

const CLOSE = { closeButtonProps: { "aria-label": "Close" } };

export function tellDone(message: string): void {
  notifications.show({ message, autoClose: 3500, ...CLOSE });
}

export function tellFailed(error: unknown): void {
  notifications.show({
    color: "red",
    role: "alert",
    title: sentence(error),
    message: advice(error),
    autoClose: 10_000,
    ...CLOSE,
  });
}
