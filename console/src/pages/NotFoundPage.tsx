// An address that leads to no page, and a page that failed while it was drawn.
import { Link } from "@tanstack/react-router"
import { Page } from "../ui/Page.tsx"
import { Failure } from "../ui/states.tsx"

export const NotFoundPage = () => (
  <Page title="There is no such page" lead="The address is wrong, or what it led to is gone.">
    <p>
      <Link to="/apps">To your apps</Link>
    </p>
  </Page>
)

export const BrokenPage = ({ error, reset }: { readonly error: unknown; readonly reset: () => void }) => (
  <Page title="Something went wrong">
    <Failure what="This page could not be shown." error={error} again={reset} />
  </Page>
)
