// Actions on all of an app's records, as far as the reader's access allows.
import { Link } from "@tanstack/react-router"
import type { App } from "../../api/types.ts"
import { appActions as texts } from "../../texts/records/records.ts"
import { ExportCsv } from "./csv/ExportCsv.tsx"
import type { GridSearch } from "./recordQueries.ts"

interface ActionsProps {
  readonly app: App
  /** Conditions and order of what is shown, which an export takes. */
  readonly search: GridSearch
}
export const AppActions = ({ app, search }: ActionsProps) => {
  const params = { appId: String(app.app_id) }
  return (
    <>
      {app.permission_level >= 5 && (
        <Link className="button quiet small" to="/apps/$appId/settings" params={params}>
          {texts.settings}
        </Link>
      )}
      <Link className="button quiet small" to="/apps/$appId/trash" params={params}>
        {texts.trash}
      </Link>
      <ExportCsv app={app} search={search} />
      {app.permission_level >= 3 && (
        <Link className="button quiet small" to="/apps/$appId/import" params={params} search={{}}>
          {texts.import}
        </Link>
      )}
      {app.permission_level >= 3 && (
        <Link className="button small" to="/apps/$appId/new" params={params}>
          {texts.newItemName(app.item_name.toLowerCase())}
        </Link>
      )}
    </>
  )
}
