// Automations as a table: sorted by any column, with a menu in each row, and pause, activation, tags and deletion of those that are ticked.
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { useCallback, useMemo, useState } from "react"
import { client } from "../../api/client.ts"
import { apps, users } from "../../api/queries.ts"
import { automationTable as texts } from "../../texts/automations/automations.ts"
import { Menu, type MenuItem } from "../../ui/Menu.tsx"
import { Question } from "../../ui/Question.tsx"
import { Failure } from "../../ui/states.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { Time } from "../../ui/Time.tsx"
import { StatusTag } from "../runs/runWords.tsx"
import type { AutomationsSearch } from "./AutomationsPage.tsx"
import {
  type Automation,
  type AutomationRow,
  type Column,
  columns,
  type Order,
  ordered,
  rowOf,
  type Summary
} from "./automationRows.ts"
import { automationStates } from "./automationStates.ts"
import { DeleteWords } from "./MoreActions.tsx"
import { TagLinks } from "./tags/TagLinks.tsx"
import { TagsDialog } from "./tags/TagsDialog.tsx"
import { useAutomationActions } from "./useAutomationActions.tsx"
import { useLabels } from "./useLabels.ts"

const PAGE = 100
/** Number of tags that have room beside a name. */
const TAGS_SHOWN = 2
/** Reads how their newest runs went: a request for each hundred, repeated whenever a run changes. */
const useSummaries = (automations: ReadonlyArray<Automation>) => {
  const ids = automations.map(({ id }) => id)
  const { data } = useQuery({
    queryKey: ["runs", "summary", ids],
    queryFn: async ({ signal }) => {
      const pages: Array<ReadonlyArray<Summary>> = []
      for (let start = 0; start < ids.length; start += PAGE) {
        const body = { automation_ids: ids.slice(start, start + PAGE) }
        pages.push((await client.automationRuns.summary({ body }, { signal })).summaries)
      }
      return pages.flat()
    },
    enabled: ids.length > 0,
    placeholderData: (last) => last
  })
  return useMemo(() => new Map((data ?? []).map((one) => [one.automation_id, one])), [data])
}

const useRows = (automations: ReadonlyArray<Automation>, order: Order | undefined) => {
  const label = useLabels()
  const knownApps = useQuery(apps).data?.apps
  const knownUsers = useQuery(users).data?.users
  const summaries = useSummaries(automations)
  return useMemo(() => {
    const names = { label, apps: new Map((knownApps ?? []).map((app) => [app.app_id, { ...app, fields: [] }])) }
    const owners = knownUsers && new Map(knownUsers.map(({ name, user_id }) => [user_id, name]))
    return ordered(
      automations.map((automation) => rowOf(automation, names, owners, summaries)),
      order
    )
  }, [automations, knownApps, knownUsers, label, order, summaries])
}

const LastRun = ({ row: { summary } }: { readonly row: AutomationRow }) => {
  if (summary === undefined) return null
  if (summary.last_run === undefined) return <span className="muted">{texts.never}</span>
  return (
    <>
      <StatusTag status={summary.last_run.status} /> <Time at={summary.last_run.created_at} />
    </>
  )
}

const Errors = ({ row: { automation, errorRate, summary } }: { readonly row: AutomationRow }) => {
  if (errorRate === undefined || summary === undefined) return null
  const words = `${Math.round(100 * errorRate)} %`
  const about = texts.failedOfTheLastSum(summary.failed, summary.completed + summary.failed)
  if (summary.failed === 0)
    return (
      <span className="muted" title={about}>
        {words}
      </span>
    )
  return (
    <Link to="/runs" search={{ automation: automation.id, status: "failed" }} title={about} className="error-line">
      {words}
    </Link>
  )
}

interface AutomationTableProps {
  readonly automations: ReadonlyArray<Automation>
  readonly search: AutomationsSearch
  readonly order: Order | undefined
  readonly sortBy: (column: Column) => void
}
export const AutomationTable = ({ automations, order, search, sortBy }: AutomationTableProps) => {
  const navigate = useNavigate()
  const rows = useRows(automations, order)
  const actions = useAutomationActions()
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const [menu, setMenu] = useState<{ readonly x: number; readonly y: number; readonly automation: Automation }>()
  const [deleting, setDeleting] = useState<ReadonlyArray<Automation>>()
  const [tagging, setTagging] = useState<ReadonlyArray<Automation>>()
  const closeMenu = useCallback(() => setMenu(undefined), [])
  const tickedAutomations = automations.filter(({ id }) => ticked.has(id))
  const tick = (id: number, isTicked: boolean) =>
    setTicked((last) => new Set(isTicked ? [...last, id] : [...last].filter((one) => one !== id)))
  const menuOf = (automation: Automation): ReadonlyArray<MenuItem> => {
    const isActive = automation.status === "active"
    return [
      {
        label: texts.edit,
        act: () =>
          void navigate({ to: "/automations/$automationId/edit", params: { automationId: String(automation.id) } })
      },
      { label: texts.duplicate, act: () => actions.duplicate(automation) },
      {
        label: isActive ? texts.pause : texts.activate,
        act: () => actions.change(isActive ? "pause" : "activate", [automation])
      },
      { label: texts.tags, act: () => setTagging([automation]) },
      { label: texts.export, act: () => actions.export(automation) },
      { label: texts.delete, isDangerous: true, beginsGroup: true, act: () => setDeleting([automation]) }
    ]
  }
  return (
    <>
      {actions.report}
      {actions.error !== null && <Failure what={texts.itWasNotDone} error={actions.error} />}
      {tickedAutomations.length > 0 && (
        <div className="tools bulk" role="toolbar" aria-label={texts.selectedAutomations}>
          <span>{texts.countSelected(tickedAutomations.length)}</span>
          {(["pause", "activate"] as const).map((action) => (
            <button
              key={action}
              type="button"
              className="quiet small"
              disabled={actions.isBusy}
              onClick={() => actions.change(action, tickedAutomations)}
            >
              {action === "pause" ? texts.pause : texts.activate}
            </button>
          ))}
          {[["tags", setTagging] as const, ["delete", setDeleting] as const].map(([action, ask]) => (
            <button
              key={action}
              type="button"
              className="quiet small"
              disabled={actions.isBusy}
              onClick={() => ask(tickedAutomations)}
            >
              {texts[action]}
            </button>
          ))}
          <button type="button" className="quiet small" onClick={() => setTicked(new Set())}>
            {texts.clearSelection}
          </button>
        </div>
      )}
      <table className="automations">
        <thead>
          <tr>
            <th className="tick">
              <input
                type="checkbox"
                aria-label={texts.selectAll}
                checked={tickedAutomations.length > 0 && tickedAutomations.length === automations.length}
                onChange={({ target }) => setTicked(new Set(target.checked ? automations.map(({ id }) => id) : []))}
              />
            </th>
            {(Object.keys(columns) as ReadonlyArray<Column>).map((column) => (
              <th
                key={column}
                className={`of-${column}`}
                aria-sort={order?.column !== column ? "none" : order.isDescending ? "descending" : "ascending"}
              >
                <button type="button" className="sort" onClick={() => sortBy(column)}>
                  {columns[column]}
                  <span aria-hidden="true">{order?.column !== column ? "" : order.isDescending ? " ↓" : " ↑"}</span>
                </button>
              </th>
            ))}
            <th className="of-menu">
              <span className="unseen">{texts.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const { id, name, status, tags = [] } = row.automation
            return (
              <tr key={id} data-automation={id} data-ticked={ticked.has(id) || undefined}>
                <td className="tick">
                  <input
                    type="checkbox"
                    aria-label={texts.select(name)}
                    checked={ticked.has(id)}
                    onChange={({ target }) => tick(id, target.checked)}
                  />
                </td>
                <td className="of-name">
                  <div className="name-and-tags">
                    <Link
                      className="name"
                      to="/automations/$automationId"
                      params={{ automationId: String(id) }}
                      title={name}
                    >
                      {name}
                    </Link>
                    <TagLinks tags={tags} search={search} most={TAGS_SHOWN} />
                  </div>
                </td>
                <td className="of-app" title={row.app}>
                  {row.app}
                </td>
                <td className="of-trigger" title={row.trigger}>
                  {row.trigger}
                </td>
                <td className="of-owner" title={row.owner}>
                  {row.owner}
                </td>
                <td className="of-state">
                  <Tag tone={automationStates[status].tone}>{automationStates[status].words}</Tag>
                </td>
                <td className="of-last">
                  <LastRun row={row} />
                </td>
                <td className="of-errors">
                  <Errors row={row} />
                </td>
                <td className="of-menu">
                  <button
                    type="button"
                    className="quiet more"
                    aria-label={texts.actionsOf(name)}
                    aria-haspopup="menu"
                    onClick={({ currentTarget }) => {
                      const { bottom, right } = currentTarget.getBoundingClientRect()
                      setMenu({ x: right - 160, y: bottom + 4, automation: row.automation })
                    }}
                  >
                    ⋯
                  </button>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {menu !== undefined && (
        <Menu
          label={texts.actionsOf(menu.automation.name)}
          x={menu.x}
          y={menu.y}
          items={menuOf(menu.automation)}
          close={closeMenu}
        />
      )}
      {tagging !== undefined && (
        <TagsDialog
          automations={tagging}
          save={(change) => actions.tag(change, tagging)}
          close={() => setTagging(undefined)}
        />
      )}
      {deleting !== undefined && (
        <Question
          title={texts.deleteAutomations(deleting.length, deleting[0]!.name)}
          yes={texts.delete}
          onYes={() => {
            actions.change("delete", deleting)
            setTicked(new Set())
          }}
          close={() => setDeleting(undefined)}
        >
          <DeleteWords />
        </Question>
      )}
    </>
  )
}
