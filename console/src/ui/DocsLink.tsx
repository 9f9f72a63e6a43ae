// A link into the documentation that the service has at /docs. It opens beside the console, so that no work is left.
interface DocsLinkProps {
  /** Page of the manual, by its name there: `triggers`, `actions#http_call`. */
  readonly to: string
  readonly children: string
}
export const DocsLink = ({ children, to }: DocsLinkProps) => (
  <a href={`/docs/manual/${to}`} target="_blank" rel="noopener">
    {children}
  </a>
)
