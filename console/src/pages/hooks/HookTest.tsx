// A sample for the receiver, marked as one, and what it answers (decisions W14).
import { useMutation } from "@tanstack/react-query"
import { useId, useState } from "react"
import { client } from "../../api/client.ts"
import type { Hook, HookType } from "../../api/hooks.ts"
import { Failure } from "../../ui/states.tsx"
import { errorWords, typeWords } from "./hookWords.ts"

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
  return (
    <section className="card" aria-labelledby="test">
      <h2 id="test">Try it</h2>
      <div className="inline">
        <div className="field">
          <label htmlFor={id}>Sample</label>
          <select id={id} value={type} onChange={({ target }) => setType(target.value as HookType)}>
            {types.map((one) => (
              <option key={one} value={one}>
                {typeWords[one]}
              </option>
            ))}
          </select>
        </div>
        <button type="button" className="quiet" disabled={test.isPending} onClick={() => test.mutate()}>
          {test.isPending ? "Waiting for the answer…" : "Send a sample"}
        </button>
      </div>
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
