// An address that leads to no page, and a page that failed while it was drawn.
import { Link } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { isReachable, onReturn } from "../api/service.ts"
import { notFoundPage as texts } from "../texts/ui/router.ts"
import { PageMissing, reloadOnce } from "../ui/lazyPage.ts"
import { Page } from "../ui/Page.tsx"
import { Failure } from "../ui/states.tsx"

export const NotFoundPage = () => (
  <Page title={texts.thereIsNoSuchPage} lead={texts.addressIsWrong}>
    <p>
      <Link to="/apps">{texts.toYourApps}</Link>
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
    <Page title={isOutdated ? texts.thisPageCould : texts.thisPageIsNotLoaded}>
      {isOutdated ? (
        <div className="note bad" role="alert">
          <p>{texts.partOfThePage}</p>
          <button type="button" className="quiet small" onClick={() => location.reload()}>
            {texts.reload}
          </button>
        </div>
      ) : (
        <p className="muted">{texts.itOpensByItself}</p>
      )}
    </Page>
  )
}

export const BrokenPage = ({ error, reset }: { readonly error: unknown; readonly reset: () => void }) =>
  error instanceof PageMissing ? (
    <MissingPage error={error} />
  ) : (
    <Page title={texts.somethingWentWrong}>
      <Failure what={texts.thisPageCouldNotBeShown} error={error} again={reset} />
    </Page>
  )
