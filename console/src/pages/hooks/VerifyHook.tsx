// The second half of the way to a webhook: the code that the address was sent, and what became of bringing it (decisions W6, W14).
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useId, useState } from "react"
import { client } from "../../api/client.ts"
import { type Hook, verification } from "../../api/hooks.ts"
import { Asked, Failure } from "../../ui/states.tsx"
import { AttemptRows } from "./AttemptRows.tsx"

export const VerifyHook = ({ hook }: { readonly hook: Hook }) => {
  const { hook_id } = hook
  const queries = useQueryClient()
  const renewed = () => queries.invalidateQueries({ queryKey: ["hooks", hook_id] })
  const attempts = useQuery(verification(hook_id))
  const [code, setCode] = useState("")
  const codeId = useId()
  const ask = useMutation({ mutationFn: () => client.webhooks.verifyRequest({ hook_id }), onSettled: renewed })
  const verify = useMutation({
    mutationFn: (given: string) => client.webhooks.verifyValidate({ hook_id, body: { code: given } }),
    onSuccess: renewed
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    verify.mutate(code.trim())
  }
  return (
    <section className="card" aria-labelledby="verify">
      <h2 id="verify">Is this address yours?</h2>
      <p>
        {hook.url} is sent a POST of the type <code>hook.verify</code> with a <code>code</code>. It is valid for 24
        hours. Until it is entered nothing else is sent.
      </p>
      <form className="inline" onSubmit={submit}>
        <div className="field">
          <label htmlFor={codeId}>Code</label>
          <input
            id={codeId}
            required
            autoComplete="off"
            spellCheck={false}
            value={code}
            onChange={({ target }) => setCode(target.value)}
          />
        </div>
        <button type="submit" disabled={verify.isPending}>
          Verify
        </button>
        <button type="button" className="quiet" disabled={ask.isPending} onClick={() => ask.mutate()}>
          Send the code again
        </button>
      </form>
      {verify.isError ? <Failure what="The address is not verified." error={verify.error} /> : null}
      {ask.isError ? <Failure what="The code was not sent." error={ask.error} /> : null}
      <h3 className="after">Attempts to bring the code</h3>
      <Asked query={attempts} what="the attempts">
        {({ attempts: list }) =>
          list.length === 0 ? (
            <p className="muted">None yet; it takes a few seconds.</p>
          ) : (
            <AttemptRows caption="Attempts to bring the code" attempts={list} />
          )
        }
      </Asked>
    </section>
  )
}
