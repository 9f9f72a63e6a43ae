// The automations whose runs are listed: any number of them, found by a part of their name.
import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query"
import { useId, useState } from "react"
import { client } from "../../api/client.ts"
import { apps } from "../../api/queries.ts"
import { automationPicks as texts } from "../../texts/runs/runs.ts"
import { FindChoices } from "../../ui/FindChoices.tsx"

const OFFERED = 20
const nameKey = (automationId: number) => ["automations", "name", automationId]

interface AutomationPicksProps {
  /** Only those of this app are offered. */
  readonly app: number | undefined
  readonly chosenIds: ReadonlyArray<number>
  readonly onChange: (ids: ReadonlyArray<number>) => void
}
export const AutomationPicks = ({ app, chosenIds, onChange }: AutomationPicksProps) => {
  const id = useId()
  const queries = useQueryClient()
  const [text, setText] = useState<string>()
  const named = text === undefined || text.trim() === "" ? {} : { name: text.trim() }
  const { data } = useQuery({
    queryKey: ["automations", "found", app ?? "all", named],
    queryFn: ({ signal }) =>
      app === undefined
        ? client.automations.listOrg({ limit: OFFERED, ...named }, { signal })
        : client.automations.listApp({ app_id: app, limit: OFFERED, ...named }, { signal }),
    enabled: text !== undefined,
    placeholderData: (before) => before
  })
  const appNames = new Map(useQuery(apps).data?.apps.map(({ app_id, name }) => [app_id, name]))
  const names = useQueries({
    queries: chosenIds.map((automation_id) => ({
      queryKey: nameKey(automation_id),
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        (await client.automations.get({ automation_id }, { signal })).automation.name,
      staleTime: 30_000,
      retry: false
    }))
  })
  return (
    <FindChoices
      id={id}
      label={texts.automations}
      placeholder={texts.anyAutomation}
      many={true}
      chosen={chosenIds.map((one, index) => ({ id: one, title: names[index]?.data ?? texts.automationOne(one) }))}
      offered={data?.automations.map(({ id: key, name, app_id }) => ({
        id: key,
        title: name,
        detail: appNames.get(app_id) ?? ""
      }))}
      onFind={setText}
      onChange={(chosen) => {
        for (const automation of chosen)
          if (!chosenIds.includes(automation.id)) queries.setQueryData(nameKey(automation.id), automation.title)
        onChange(chosen.map((one) => one.id))
      }}
    />
  )
}
