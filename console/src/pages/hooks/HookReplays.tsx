// Many deliveries sent again as a job: since when, which of them; how far each job has come (decisions W16).
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useId, useState } from "react"
import { client } from "../../api/client.ts"
import { type DeliveryStatus, type Replay, replaysOf } from "../../api/hooks.ts"
import { hookReplays as texts } from "../../texts/hooks/deliveries.ts"
import { Asked, Failure } from "../../ui/states.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { Time, textOf } from "../../ui/Time.tsx"
import { deliveryWords, replayWords } from "./hookWords.ts"

const CHOICES = ["failed", "withheld", "expired", "delivered"] as const satisfies ReadonlyArray<DeliveryStatus>
const DAY = 86_400_000

/** Formats an instant for a date and time input, in the reader's zone. */
const local = (instant: Date) =>
  new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

const Progress = ({ replay }: { readonly replay: Replay }) => {
  const queries = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => client.webhookLog.replayCancel({ replay_id: replay.replay_id }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["hooks", replay.hook_id] })
  })
  const { tone, word } = replayWords[replay.state]
  const finishedCount = replay.replayed - replay.waiting
  return (
    <li className="delivery">
      <div className="row">
        <div>
          <Tag tone={tone}>{word}</Tag>
          <span>
            {texts.finishedCountOfReplayed(finishedCount, replay.replayed, replay.counted ? "" : texts.orMore)}
          </span>{" "}
          <span className="muted">{texts.begunTime(<Time full at={replay.created_on} />)}</span>
        </div>
        {replay.state === "running" ? (
          <button type="button" className="quiet small" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            {texts.cancel}
          </button>
        ) : null}
      </div>
      <progress
        aria-label={texts.replayReplayId(replay.replay_id)}
        value={finishedCount}
        max={Math.max(1, replay.replayed)}
      />
      {cancel.isError ? <Failure what={texts.itWasNotCancelled} error={cancel.error} /> : null}
    </li>
  )
}

const ReplayForm = ({ hookId }: { readonly hookId: number }) => {
  const queries = useQueryClient()
  const [since, setSince] = useState(() => local(new Date(Date.now() - DAY)))
  const [statuses, setStatuses] = useState<ReadonlyArray<DeliveryStatus>>(["failed", "withheld"])
  const id = useId()
  const start = useMutation({
    mutationFn: () =>
      client.webhooks.replay({ hook_id: hookId, body: { since: textOf(new Date(since)), status: [...statuses] } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["hooks", hookId] })
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    start.mutate()
  }
  return (
    <form onSubmit={submit}>
      <div className="field choice">
        <label htmlFor={id}>{texts.since}</label>
        <input id={id} type="datetime-local" required value={since} onChange={({ target }) => setSince(target.value)} />
      </div>
      <fieldset>
        <legend>{texts.which}</legend>
        <div className="picks">
          {CHOICES.map((one) => (
            <div key={one} className="pick">
              <input
                type="checkbox"
                id={`again-${one}`}
                checked={statuses.includes(one)}
                onChange={({ target }) =>
                  setStatuses(target.checked ? [...statuses, one] : statuses.filter((other) => other !== one))
                }
              />
              <label htmlFor={`again-${one}`}>{deliveryWords[one].word}</label>
            </div>
          ))}
        </div>
      </fieldset>
      {start.isError ? <Failure what={texts.nothingIsSentAgain} error={start.error} /> : null}
      <button type="submit" className="quiet" disabled={start.isPending || statuses.length === 0}>
        {texts.sendThemAgain}
      </button>
    </form>
  )
}

interface HookReplaysProps {
  readonly hookId: number
  readonly active: boolean
}
export const HookReplays = ({ hookId, active }: HookReplaysProps) => (
  <section className="card" aria-labelledby="replays">
    <h2 id="replays">{texts.sendManyAgain}</h2>
    <p className="muted">{texts.underTheSameIds}</p>
    {active ? <ReplayForm hookId={hookId} /> : <p className="muted">{texts.verifyTheAddressFirst}</p>}
    <Asked query={useQuery(replaysOf(hookId))} failed={texts.loadingTheReplaysFailed}>
      {({ replays }) =>
        replays.length === 0 ? null : (
          <ul className="plain deliveries after">
            {replays.map((replay) => (
              <Progress key={replay.replay_id} replay={replay} />
            ))}
          </ul>
        )
      }
    </Asked>
  </section>
)
