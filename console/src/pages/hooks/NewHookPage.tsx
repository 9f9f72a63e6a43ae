// The way to a webhook, first half: app, events, address. Saving it sends the code; the webhook's own page takes it (decisions W6).
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { type FormEvent, useId, useState } from "react"
import { client } from "../../api/client.ts"
import type { HookType } from "../../api/hooks.ts"
import { newHookPage as texts } from "../../texts/hooks/hooks.ts"
import { Page } from "../../ui/Page.tsx"
import { Asked, Failure } from "../../ui/states.tsx"
import { administered } from "../apps/appQueries.ts"
import { AppChoice } from "./AppChoice.tsx"
import { TypePicks } from "./TypePicks.tsx"

interface Wanted {
  readonly app: number
  readonly types: ReadonlyArray<HookType>
  readonly url: string
}

/** Creates one hook for all of the types: the first is its own, the others are settings of it (decisions W11). */
const make = async ({ app, types, url }: Wanted) => {
  const [type, ...others] = types
  const { hook_id } = await client.webhooks.create({ app_id: app, body: { type: type!, url } })
  if (others.length > 0) await client.webhooks.settingsUpdate({ hook_id, body: { types: [...types] } })
  await client.webhooks.verifyRequest({ hook_id })
  return hook_id
}

export const NewHookPage = () => {
  const { app } = useSearch({ from: "/webhooks/new" })
  const go = useNavigate()
  const queries = useQueryClient()
  const query = useQuery(administered)
  const [appId, setAppId] = useState(app)
  const [types, setTypes] = useState<ReadonlyArray<HookType>>(["record.create"])
  const [url, setUrl] = useState("")
  const urlId = useId()
  const chosenAppId = appId ?? query.data?.apps[0]?.app_id
  const making = useMutation({
    mutationFn: make,
    onSuccess: async (hookId) => {
      await queries.invalidateQueries({ queryKey: ["hooks"] })
      await go({ to: "/webhooks/$hookId", params: { hookId: String(hookId) } })
    }
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (chosenAppId !== undefined) making.mutate({ app: chosenAppId, types, url: url.trim() })
  }
  return (
    <Page title={texts.newWebhook} trail={<Link to="/webhooks">{texts.webhooks}</Link>} lead={texts.step1Of2}>
      <Asked query={query} failed={texts.loadingAppsFailed}>
        {({ apps: all }) => (
          <form className="card form" onSubmit={submit}>
            <AppChoice apps={all} chosen={chosenAppId} onChoose={setAppId} />
            <TypePicks chosen={types} onChange={setTypes} />
            <div className="field">
              <label htmlFor={urlId}>{texts.address}</label>
              <input
                id={urlId}
                type="url"
                required
                maxLength={2000}
                placeholder="https://"
                autoComplete="off"
                value={url}
                onChange={({ target }) => setUrl(target.value)}
              />
              <small>{texts.itIsSentAPost}</small>
            </div>
            {making.isError ? <Failure what={texts.webhookCouldNotBeMade} error={making.error} /> : null}
            <button type="submit" disabled={making.isPending || types.length === 0 || chosenAppId === undefined}>
              {making.isPending ? texts.saving : texts.saveAndSendTheCode}
            </button>
          </form>
        )}
      </Asked>
    </Page>
  )
}
