// The second half of the way to a webhook: the code that the address was sent, and what became of bringing it (decisions W6, W14).
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useId, useState } from "react"
import { client } from "../../api/client.ts"
import { type Hook, verification } from "../../api/hooks.ts"
import { verifyHook as texts } from "../../texts/hooks/hooks.ts"
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
      <h2 id="verify">{texts.isThisAddressYours}</h2>
      <p>{texts.urlIsSentAPost(hook.url, <code>hook.verify</code>, <code>code</code>)}</p>
      <form className="inline" onSubmit={submit}>
        <div className="field">
          <label htmlFor={codeId}>{texts.code}</label>
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
          {texts.verify}
        </button>
        <button type="button" className="quiet" disabled={ask.isPending} onClick={() => ask.mutate()}>
          {texts.sendTheCodeAgain}
        </button>
      </form>
      {verify.isError ? <Failure what={texts.addressIsNotVerified} error={verify.error} /> : null}
      {ask.isError ? <Failure what={texts.codeWasNotSent} error={ask.error} /> : null}
      <h3 className="after">{texts.attemptsToBringTheCode}</h3>
      <Asked query={attempts} failed={texts.loadingTheAttemptsFailed}>
        {({ attempts: list }) =>
          list.length === 0 ? (
            <p className="muted">{texts.noneYet}</p>
          ) : (
            <AttemptRows caption={texts.attemptsToBringTheCode} attempts={list} />
          )
        }
      </Asked>
    </section>
  )
}
