// An address that leads to no page, and a page that failed while it was drawn.
import { Link } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { isReachable, onReturn } from "../api/service.ts"
import { PageMissing, reloadOnce } from "../ui/lazyPage.ts"
import { Page } from "../ui/Page.tsx"
import { Failure } from "../ui/states.tsx"

export const NotFoundPage = () => (
  <Page title="There is no such page" lead="The address is wrong, or what it led to is gone.">
    <p>
      <Link to="/apps">To your apps</Link>
    </p>
  </Page>
)

/** A page that did not load: opened as soon as the service is there, after a deploy in its new version. */
const MissingPage = ({ error }: { readonly error: PageMissing }) => {
  const [isOutdated, setIsOutdated] = useState(false)
  useEffect(() => {
    const load = async () => {
      if (await isReachable()) setIsOutdated(!reloadOnce(error))
    }
    void load()
    return onReturn(() => location.reload())
  }, [error])
  return (
    <Page title={isOutdated ? "This page could not be loaded" : "This page is not loaded yet"}>
      {isOutdated ? (
        <div className="note bad" role="alert">
          <p>A part of the page is missing on the service. Reload the page, or try again in some minutes.</p>
          <button type="button" className="quiet small" onClick={() => location.reload()}>
            Reload
          </button>
        </div>
      ) : (
        <p className="muted">It opens by itself as soon as the service can be reached.</p>
      )}
    </Page>
  )
}

export const BrokenPage = ({ error, reset }: { readonly error: unknown; readonly reset: () => void }) =>
  error instanceof PageMissing ? (
    <MissingPage error={error} />
  ) : (
    <Page title="Something went wrong">
      <Failure what="This page could not be shown." error={error} again={reset} />
    </Page>
  )
