// Every type of event with a body of it, and a sample sent to the receiver, marked as one, with what it answers (decisions W14).
import { useMutation, useQuery } from "@tanstack/react-query"
import { useId, useState } from "react"
import { client } from "../../api/client.ts"
import { type Hook, type HookType, samplesOf } from "../../api/hooks.ts"
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
      <h2 id="test">Send a sample</h2>
      <p className="muted">
        The newest record of the app is named. The receiver knows a sample by its header <code>webhook-test: true</code>
        ; it counts nowhere and is not tried again.{" "}
        <DocsLink to="receiving-webhooks#what-arrives">How a receiver takes a webhook</DocsLink>.
      </p>
      <div className="inline">
        <div className="field">
          <label htmlFor={id}>Event</label>
          <select
            id={id}
            value={type}
            onChange={({ target }) => {
              setType(target.value as HookType)
              test.reset()
            }}
          >
            <optgroup label="Sent by this webhook">{types.map(option)}</optgroup>
            {otherTypes.length === 0 ? null : <optgroup label="Other events">{otherTypes.map(option)}</optgroup>}
          </select>
        </div>
        <button
          type="button"
          className="quiet"
          disabled={test.isPending || hook.status !== "active"}
          onClick={() => test.mutate()}
        >
          {test.isPending ? "Waiting for the answer…" : "Send a sample"}
        </button>
      </div>
      {hook.status === "active" ? null : (
        <p className="muted after">Nothing is sent to an address before it is verified.</p>
      )}
      <Asked query={useQuery(samplesOf(hook.hook_id))} what="the sample bodies">
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
        {test.isError ? <Failure what="The sample was not sent." error={test.error} /> : null}
        {answer === undefined ? null : (
          <p className={`note ${answer.error === null ? "good" : "bad"}`}>
            {answer.error === null ? "The receiver took it" : `It did not arrive: ${errorWords(answer.error)}`}
            {answer.status_code === null ? "" : `, status ${answer.status_code}`}, after {answer.latency_ms} ms.
            {answer.response_body ? (
              <>
                {" "}
                It said: <code>{answer.response_body.slice(0, 500)}</code>
              </>
            ) : null}
          </p>
        )}
      </div>
    </section>
  )
}
