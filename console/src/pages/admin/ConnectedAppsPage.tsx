// Apps that act for people of the organization, grouped by app and found by name: their rules, who has connected them, the end of one or
// of all (decisions O15).
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { connectedAppsPage as texts } from "../../texts/admin/connections.ts"
import { Search } from "../../ui/Search.tsx"
import { Asked, Empty } from "../../ui/states.tsx"
import { AddAppRule } from "./AddAppRule.tsx"
import { AdminPage } from "./AdminPage.tsx"
import { AppModeForm } from "./AppModeForm.tsx"
import { ConnectedAppCard } from "./ConnectedAppCard.tsx"
import { connectedApps } from "./connectionQueries.ts"

/** Apps that are listed at first, and by each press on "Show more apps". */
const PAGE = 50

const Apps = () => {
  const [wanted, setWanted] = useState("")
  const [most, setMost] = useState(PAGE)
  const words = wanted.trim().toLowerCase()
  return (
    <Asked query={useQuery(connectedApps)} failed={texts.loadingConnectedAppsFailed}>
      {({ apps, mode }) => {
        const matchingApps = apps.filter(({ client_id, client_name }) =>
          `${client_name ?? ""} ${client_id}`.toLowerCase().includes(words)
        )
        return (
          <>
            {apps.length === 0 ? (
              <Empty title={texts.noAppIsConnected}>
                <p>{texts.appsThatPeopleConnect}</p>
              </Empty>
            ) : (
              <>
                <Search
                  label={texts.findAnApp}
                  value={wanted}
                  onChange={setWanted}
                  count={texts.countOfTotal(matchingApps.length, apps.length)}
                />
                <ul className="plain">
                  {matchingApps.slice(0, most).map((app) => (
                    <ConnectedAppCard key={app.client_id} app={app} mode={mode} />
                  ))}
                </ul>
                {matchingApps.length > most && (
                  <p>
                    <button type="button" className="quiet small" onClick={() => setMost(most + PAGE)}>
                      {texts.showMoreApps}
                    </button>
                  </p>
                )}
              </>
            )}
            <AppModeForm mode={mode} />
          </>
        )
      }}
    </Asked>
  )
}

export const ConnectedAppsPage = () => (
  <AdminPage at="/admin/apps" actions={() => <AddAppRule />}>
    {() => <Apps />}
  </AdminPage>
)
