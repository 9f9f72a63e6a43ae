// Commands that begin a record, one for each app in which the reader may add some: found by the words of the command and of the app. The
// name of an app alone finds the app.
import { useQueries, useQuery } from "@tanstack/react-query"
import { appOf, apps } from "../../api/queries.ts"
import { newRecordCommands as texts } from "../../texts/ui/searchWords.ts"
import type { FoundCommand } from "./commandsByName.ts"
import { beginsAll } from "./pagesByName.ts"

const MOST = 3
const WORDS = "create add row entry"
/** Level of the rights with which records are added (developer-api.md 2.3). */
const EDITS = 3

interface NamedApp {
  readonly app_id: number
  readonly name: string
  readonly item_name: string
}

/** Apps of whose command each typed word begins some, and not all of them the app's own. */
const appsByCommand = <App extends NamedApp>(text: string, all: ReadonlyArray<App>): ReadonlyArray<App> =>
  all
    .filter(({ item_name, name }) => {
      const ownWords = `${name} ${item_name}`
      return beginsAll(text, `${texts.newRecordIn(name)} ${WORDS} ${ownWords}`) && !beginsAll(text, ownWords)
    })
    .slice(0, MOST)

/** Asks for the rights on the few apps that match: the list of apps has none. */
export const useNewRecordCommands = (text: string): ReadonlyArray<FoundCommand> => {
  const matchingApps = appsByCommand(text, useQuery(apps).data?.apps ?? [])
  return useQueries({ queries: matchingApps.map(({ app_id }) => appOf(app_id)) }).flatMap(({ data }) =>
    data === undefined || data.permission_level < EDITS
      ? []
      : [
          {
            kind: "command",
            id: `new-record-${data.app_id}`,
            title: texts.newRecordIn(data.name),
            snippet: "",
            run: (navigate) => navigate({ to: "/apps/$appId/new", params: { appId: String(data.app_id) } })
          }
        ]
  )
}
