/** A page that fails does not take the others with it. */
import { Component, type ReactNode } from "react";
import { ErrorNotice } from "./error-notice";

export class Boundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (!this.state.error) return this.props.children;
    // A script that cannot be loaded usually belongs to a service that was renewed meanwhile.
    return (
      <div style={{ padding: "2rem" }}>
        <ErrorNotice error={this.state.error} retry={() => window.location.reload()} />
      </div>
    );
  }
}
