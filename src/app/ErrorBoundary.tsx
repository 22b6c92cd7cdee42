import { Component, type ReactNode } from 'react';

interface Props {
  /** What is missing while it is broken: "the timeline". */
  readonly what: string;
  readonly children: ReactNode;
}

/** Where a part of the page fails, the rest stays and the part says so. The page is never blank. */
export class ErrorBoundary extends Component<Props, { readonly message: string | undefined }> {
  override state: { readonly message: string | undefined } = { message: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { message: error instanceof Error ? error.message : String(error) };
  }

  override render() {
    const { message } = this.state;
    if (message === undefined) return this.props.children;
    return (
      <div className="app-broken" role="alert">
        <p>
          <strong>A fault in rcuscope: {this.props.what} cannot be shown.</strong>
        </p>
        <p className="ui-mono">{message}</p>
        <p>
          <button
            type="button"
            className="ui-button ui-button-framed"
            onClick={() => this.setState({ message: undefined })}
          >
            Try again
          </button>{' '}
          <a href="./">Start over with the default scenario</a>
        </p>
      </div>
    );
  }
}
