// Shows a webhook in tabs: whether its deliveries arrive, what was sent, a test, its settings and its secret.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { client } from "../../api/client.ts"
import { useRemoval } from "../../api/gone.ts"
import { type Hook, type HookSettings, hook as hookQuery, hookSettings } from "../../api/hooks.ts"
import { hookPage as texts } from "../../texts/hooks/hooks.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Page } from "../../ui/Page.tsx"
import { Asked, Failure } from "../../ui/states.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { HookDeliveries, LatestDeliveries } from "./HookDeliveries.tsx"
import { HookNumbers } from "./HookNumbers.tsx"
import { HookSecret } from "./HookSecret.tsx"
import { HookSettingsForm } from "./HookSettingsForm.tsx"
import { HookTest } from "./HookTest.tsx"
import { type HookTab, hookTabs, tabWords } from "./hookTabs.ts"
import { hookName, standingOf, typeWords } from "./hookWords.ts"
import { VerifyHook } from "./VerifyHook.tsx"

interface HookProps {
  readonly hook: Hook
  readonly settings: HookSettings
}

const PauseButton = ({ hook, settings: { paused } }: HookProps) => {
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: () => client.webhooks.settingsUpdate({ hook_id: hook.hook_id, body: { paused: !paused } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["hooks", hook.hook_id] })
  })
  return (
    <>
      <button type="button" className="quiet small" disabled={change.isPending} onClick={() => change.mutate()}>
        {paused ? texts.resume : texts.pause}
      </button>
      {change.isError ? <Failure what={texts.nothingWasChanged} error={change.error} /> : null}
    </>
  )
}

const DeleteButton = ({ hook }: Pick<HookProps, "hook">) => {
  const queries = useQueryClient()
  const go = useNavigate()
  const remove = useRemoval({
    remove: () => client.webhooks.remove({ hook_id: hook.hook_id }),
    known: [["hooks", hook.hook_id]],
    onGone: async () => {
      await go({ to: "/webhooks", search: { app: hook.app_id } })
      await queries.invalidateQueries({ queryKey: ["hooks", "of"] })
    }
  })
  return (
    <>
      <Confirm
        label={texts.delete}
        title={texts.deleteThisWebhook}
        yes={texts.deleteIt}
        busy={remove.isPending}
        onYes={() => remove.mutate()}
      >
        <p>{texts.nothingMoreIsSent}</p>
      </Confirm>
      {remove.isError ? <Failure what={texts.itWasNotDeleted} error={remove.error} /> : null}
    </>
  )
}

const Standing = ({ hook, settings }: HookProps) => {
  const { tone, word } = standingOf(hook, settings.paused)
  return (
    <p>
      <Tag tone={tone}>{word}</Tag>
      {settings.types.map((type) => (
        <Tag key={type}>{typeWords[type]}</Tag>
      ))}
      <span className="muted">{texts.toUrl(hook.url)}</span>
    </p>
  )
}

const Tabs = ({ hook: { hook_id }, open }: Pick<HookProps, "hook"> & { readonly open: HookTab }) => (
  <nav className="tabs" aria-label={texts.partsOfTheWebhook}>
    {hookTabs.map((tab) => (
      <Link
        key={tab}
        to="/webhooks/$hookId"
        params={{ hookId: String(hook_id) }}
        search={tab === "overview" ? {} : { tab }}
        // The overview's address is part of every other one.
        activeOptions={{ exact: true, includeSearch: true }}
        {...(tab === open && { "aria-current": "page" as const })}
      >
        {tabWords[tab]}
      </Link>
    ))}
  </nav>
)

const Overview = ({ hook }: Pick<HookProps, "hook">) => (
  <>
    {hook.status === "active" ? null : <VerifyHook hook={hook} />}
    <HookNumbers hookId={hook.hook_id} />
    <LatestDeliveries hook={hook} />
  </>
)

const tabs: Readonly<Record<HookTab, (props: HookProps) => ReactNode>> = {
  overview: ({ hook }) => <Overview hook={hook} />,
  deliveries: ({ hook }) => <HookDeliveries hook={hook} />,
  testing: ({ hook, settings }) => <HookTest hook={hook} types={settings.types} />,
  settings: ({ hook, settings }) => (
    <HookSettingsForm key={JSON.stringify([hook.url, settings])} hook={hook} settings={settings} />
  ),
  secret: ({ hook }) => <HookSecret hookId={hook.hook_id} />
}

const Whole = ({ hook, settings, tab }: HookProps & { readonly tab: HookTab }) => (
  <>
    <Standing hook={hook} settings={settings} />
    {settings.paused && hook.status === "active" ? <p className="note warn">{texts.pausedEventsWaitForSeven}</p> : null}
    <Tabs hook={hook} open={tab} />
    {tabs[tab]({ hook, settings })}
  </>
)

export const HookPage = () => {
  const { hookId } = useParams({ from: "/webhooks/$hookId" })
  const { tab = "overview" } = useSearch({ from: "/webhooks/$hookId" })
  const hook = useQuery(hookQuery(Number(hookId)))
  const settings = useQuery(hookSettings(Number(hookId)))
  const isLoaded = hook.data !== undefined && settings.data !== undefined
  return (
    <Page
      title={hook.data === undefined ? texts.webhook : hookName(hook.data, settings.data?.description)}
      trail={
        <Link to="/webhooks" search={hook.data === undefined ? {} : { app: hook.data.app_id }}>
          {texts.webhooks}
        </Link>
      }
      actions={
        isLoaded ? (
          <>
            <PauseButton hook={hook.data} settings={settings.data} />
            <DeleteButton hook={hook.data} />
          </>
        ) : undefined
      }
    >
      <Asked query={hook} failed={texts.loadingTheWebhookFailed}>
        {(record) => (
          <Asked query={settings} failed={texts.loadingTheSettingsFailed}>
            {(set) => <Whole hook={record} settings={set} tab={tab} />}
          </Asked>
        )}
      </Asked>
    </Page>
  )
}
