// Chooses how an app's page shows its records; the form of a view is a page of its own.
import { Link } from "@tanstack/react-router"
import type { App } from "../../../api/types.ts"
import { icons } from "../../../ui/icons.tsx"
import { type Layout, layouts } from "./layoutSearch.ts"
import "./switch.css"
import { layoutSwitch as texts } from "../../../texts/records/layouts.ts"

const words: Readonly<Record<Layout, string>> = texts.words

interface SwitchProps {
  readonly app: App
  readonly layout: Layout
  readonly view: number | undefined
  readonly change: (layout: Layout) => void
}
export const LayoutSwitch = ({ app, change, layout, view }: SwitchProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset would have a frame and a legend
  <div className="layout-switch" role="group" aria-label={texts.layout}>
    {layouts.map((name) => (
      <button
        key={name}
        type="button"
        className="quiet small"
        aria-pressed={name === layout}
        title={words[name]}
        onClick={() => change(name)}
      >
        {icons[name]}
        <span>{words[name]}</span>
      </button>
    ))}
    {app.permission_level >= 3 && (
      <Link
        className="button quiet small"
        title={texts.form}
        to="/apps/$appId/form"
        params={{ appId: String(app.app_id) }}
        search={view === undefined ? {} : { view }}
      >
        {icons.form}
        <span>{texts.form}</span>
      </Link>
    )}
  </div>
)
