// Every type of event with a body of it, and a sample sent to the receiver, marked as one, with what it answers (decisions W14).
import { useMutation, useQuery } from "@tanstack/react-query"
import { useId, useState } from "react"
import { client } from "../../api/client.ts"
import { type Hook, type HookType, samplesOf } from "../../api/hooks.ts"
import { hookTest as texts } from "../../texts/hooks/hooks.ts"
import { DocsLink } from "../../ui/DocsLink.tsx"
import { Asked, Failure } from "../../ui/states.tsx"
import { errorWords, hookTypes, typeWords } from "./hookWords.ts"

interface HookTestProps {
  readonly hook: Hook
  readonly types: ReadonlyArray<HookType>
}
export const HookTest = ({ hook, types }: HookTestProps) => {
  const [type, setType] = useState(hook.type)
  const id = useId()
  const test = useMutation({
    mutationFn: () => client.webhooks.test({ hook_id: hook.hook_id, body: { type } })
  })
  const answer = test.data
  const otherTypes = hookTypes.filter((one) => !types.includes(one))
  const option = (one: HookType) => (
    <option key={one} value={one}>
      {typeWords[one]} ({one})
    </option>
  )
  return (
    <section className="card" aria-labelledby="test">
      <h2 id="test">{texts.sendASample}</h2>
      <p className="muted">
        {texts.newestRecordOfTheApp(
          <code>webhook-test: true</code>,
          <DocsLink to="receiving-webhooks#what-arrives">{texts.howAReceiverTakes}</DocsLink>
        )}
      </p>
      <div className="inline">
        <div className="field">
          <label htmlFor={id}>{texts.event}</label>
          <select
            id={id}
            value={type}
            onChange={({ target }) => {
              setType(target.value as HookType)
              test.reset()
            }}
          >
            <optgroup label={texts.sentByThisWebhook}>{types.map(option)}</optgroup>
            {otherTypes.length === 0 ? null : <optgroup label={texts.otherEvents}>{otherTypes.map(option)}</optgroup>}
          </select>
        </div>
        <button
          type="button"
          className="quiet"
          disabled={test.isPending || hook.status !== "active"}
          onClick={() => test.mutate()}
        >
          {test.isPending ? texts.waitingForTheAnswer : texts.sendASample}
        </button>
      </div>
      {hook.status === "active" ? null : <p className="muted after">{texts.nothingIsSent}</p>}
      <Asked query={useQuery(samplesOf(hook.hook_id))} failed={texts.loadingTheSampleBodiesFailed}>
        {({ samples }) => {
          const sample = samples.find((one) => one.type === type)
          return sample === undefined ? null : (
            <>
              <p className="after">{sample.when}</p>
              <pre>{JSON.stringify(sample.body, null, 2)}</pre>
            </>
          )
        }}
      </Asked>
      <div aria-live="polite" className="after">
        {test.isError ? <Failure what={texts.sampleWasNotSent} error={test.error} /> : null}
        {answer === undefined ? null : (
          <p className={`note ${answer.error === null ? "good" : "bad"}`}>
            {texts.afterLatencyMs(
              answer.error === null ? texts.receiverTookIt : texts.itDidNotArrive(errorWords(answer.error)),
              answer.status_code === null ? "" : texts.statusCode(answer.status_code),
              answer.latency_ms
            )}
            {answer.response_body ? <> {texts.itSaid(<code>{answer.response_body.slice(0, 500)}</code>)}</> : null}
          </p>
        )}
      </div>
    </section>
  )
}
