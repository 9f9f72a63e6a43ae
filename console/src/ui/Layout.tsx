// The frame of the console: navigation beside the page, below it on a phone; a skip link; the keyboard's place follows the page.
import { useQuery } from "@tanstack/react-query"
import { Link, Outlet, useRouterState } from "@tanstack/react-router"
import { useEffect, useRef } from "react"
import { me } from "../api/queries.ts"
import { WriteNotes } from "../pages/records/writes/WriteNotes.tsx"
import { layout as texts } from "../texts/ui/ui.ts"
import { AppearanceButton } from "./AppearanceButton.tsx"
import { icons } from "./icons.tsx"
import { ServiceNote } from "./ServiceNote.tsx"
import { Shortcuts } from "./Shortcuts.tsx"
import { SearchButton } from "./search/SearchButton.tsx"
import { UnsavedGuard } from "./UnsavedGuard.tsx"

const navigationLinks = [
  { to: "/", text: texts.home, icon: icons.home },
  { to: "/apps", text: texts.apps, icon: icons.apps },
  { to: "/automations", text: texts.automations, icon: icons.automations },
  { to: "/runs", text: texts.runs, icon: icons.runs },
  { to: "/webhooks", text: texts.webhooks, icon: icons.webhooks },
  { to: "/admin", text: texts.admin, rest: "istration", icon: icons.admin }
] as const

const Who = () => {
  const { data } = useQuery(me)
  return (
    <div className="self">
      <Link to="/account" hash="organizations" className="self-org">
        <strong>{data?.organization.name ?? "…"}</strong>
        <small>{texts.changeOrganization}</small>
      </Link>
      <Link to="/account" className="self-person">
        {icons.account}
        <span>{data?.name ?? "…"}</span>
        <small>{texts.yourAccount}</small>
      </Link>
      <a href="/docs" className="self-docs" target="_blank" rel="noopener">
        {texts.documentation}
      </a>
      <AppearanceButton />
    </div>
  )
}

/** After a step to another page the keyboard begins there, as after a page is loaded. */
const useFocusFollowsPage = () => {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const main = useRef<HTMLElement>(null)
  const previousPath = useRef(path)
  useEffect(() => {
    if (previousPath.current === path) return
    previousPath.current = path
    main.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [path])
  return main
}

export const Layout = () => {
  const main = useFocusFollowsPage()
  return (
    <div className="console">
      <a className="skip" href="#content">
        {texts.skipToContent}
      </a>
      <header className="rail">
        <Link className="brand" to="/">
          {icons.wheel} <span>Millrace</span>
        </Link>
        <SearchButton />
        <nav aria-label={texts.console}>
          <ul>
            {navigationLinks.map(({ to, text, icon, ...more }) => (
              <li key={to}>
                <Link to={to} activeProps={{ "aria-current": "page" }} activeOptions={{ exact: to === "/" }}>
                  {icon}
                  <span>
                    {text}
                    {"rest" in more && <span className="rest">{more.rest}</span>}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <Who />
      </header>
      <main id="content" ref={main} tabIndex={-1}>
        <Outlet />
        <Shortcuts />
        <UnsavedGuard />
        <div className="notices">
          <ServiceNote />
          <WriteNotes />
        </div>
      </main>
    </div>
  )
}
