/** A page that fails does not take the others with it. */
import { Component, type ReactNode } from "react";
import { sentence, Unreachable } from "../api/errors";
import { ErrorNotice } from "./error-notice";

export class Boundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (!this.state.error) return this.props.children;
    // What cannot be loaded belongs to a service that is gone, or was renewed meanwhile.
    const gone = /preload|dynamically imported|module script/i.test(sentence(this.state.error));
    return (
      <div style={{ padding: "2rem" }}>
        <ErrorNotice
          error={gone ? new Unreachable() : this.state.error}
          retry={() => window.location.reload()}
        />
      </div>
    );
  }
}
