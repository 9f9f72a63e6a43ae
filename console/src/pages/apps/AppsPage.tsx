// Apps by workspace, found by a part of their name.

import type { AnswerOf } from "@millrace/client"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { apps } from "../../api/queries.ts"
import { appsPage as texts } from "../../texts/apps/apps.ts"
import { Page } from "../../ui/Page.tsx"
import { Search } from "../../ui/Search.tsx"
import { Asked, Empty } from "../../ui/states.tsx"
import { buildable } from "./appQueries.ts"

type ListedApp = AnswerOf<"apps.list">["apps"][number]

const AppCard = ({ app }: { readonly app: ListedApp }) => {
  const { icon } = app.config
  return (
    <li className="card app-card">
      <span className="app-mark" aria-hidden="true">
        {icon?.type === "emoji" ? icon.emoji : app.name.slice(0, 1).toUpperCase()}
      </span>
      <div>
        <h3>
          <Link to="/apps/$appId" params={{ appId: String(app.app_id) }} search={{}}>
            {app.name}
          </Link>
        </h3>
        <p className="muted">{app.description ?? texts.eachRecordIsAItem(app.item_name.toLowerCase())}</p>
      </div>
    </li>
  )
}

const byWorkspace = (list: ReadonlyArray<ListedApp>) =>
  [...Map.groupBy(list, ({ workspace_id }) => workspace_id).values()].sort((a, b) =>
    a[0]!.workspace_name.localeCompare(b[0]!.workspace_name)
  )

export const AppsPage = () => {
  const query = useQuery(apps)
  const [wanted, setWanted] = useState("")
  const mayBuild = (useQuery(buildable).data ?? []).length > 0
  const add = (
    <Link className="button small" to="/apps/new">
      {texts.newApp}
    </Link>
  )
  return (
    <Page title={texts.apps} lead={texts.appHoldsRecordsOfOne} actions={mayBuild ? add : undefined}>
      <Asked query={query} failed={texts.loadingAppsFailed}>
        {({ apps: all }) => {
          if (all.length === 0)
            return (
              <Empty title={texts.noAppsYet}>
                <p>{mayBuild ? texts.beginWithOne : texts.adminsOfAWorkspaceBuild}</p>
              </Empty>
            )
          const matchingApps = all.filter(({ name }) => name.toLowerCase().includes(wanted.trim().toLowerCase()))
          return (
            <>
              <Search
                label={texts.findAnApp}
                value={wanted}
                onChange={setWanted}
                count={texts.countOfTotal(matchingApps.length, all.length)}
              />
              {byWorkspace(matchingApps).map((list) => (
                <section key={list[0]!.workspace_id} aria-labelledby={`workspace-${list[0]!.workspace_id}`}>
                  <h2 id={`workspace-${list[0]!.workspace_id}`}>{list[0]!.workspace_name}</h2>
                  <ul className="grid plain">
                    {list.map((app) => (
                      <AppCard key={app.app_id} app={app} />
                    ))}
                  </ul>
                </section>
              ))}
            </>
          )
        }}
      </Asked>
    </Page>
  )
}
