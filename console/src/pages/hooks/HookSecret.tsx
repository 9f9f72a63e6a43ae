// The secret that signs the deliveries: shown when it is asked for, and another one in its place (decisions W7).

import { useMutation } from "@tanstack/react-query"
import { client } from "../../api/client.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { DocsLink } from "../../ui/DocsLink.tsx"
import { Failure } from "../../ui/states.tsx"

const DAY_SECONDS = 86_400

export const HookSecret = ({ hookId }: { readonly hookId: number }) => {
  const show = useMutation({ mutationFn: () => client.webhooks.secret({ hook_id: hookId }), gcTime: 0 })
  const rotate = useMutation({
    mutationFn: (overlap: number) =>
      client.webhooks.secretRotate({ hook_id: hookId, body: { overlap_seconds: overlap } }),
    gcTime: 0,
    onSuccess: () => show.reset()
  })
  const secret = rotate.data?.secret ?? show.data?.secret
  return (
    <section className="card" aria-labelledby="secret">
      <h2 id="secret">Signature</h2>
      <p>
        Every delivery is signed as <a href="https://www.standardwebhooks.com">Standard Webhooks</a> has it.{" "}
        <DocsLink to="receiving-webhooks#verify-the-raw-body">How a receiver verifies it</DocsLink>.
      </p>
      <div aria-live="polite">
        {secret === undefined ? null : (
          <p>
            <code className="secret">{secret}</code>
          </p>
        )}
        {rotate.data === undefined ? null : (
          <p className="note">
            {rotate.variables === 0
              ? "Deliveries carry its signature alone. Give the receiver the new secret now."
              : "For 24 hours deliveries carry both signatures. Give the receiver the new secret meanwhile."}
          </p>
        )}
      </div>
      {show.isError ? <Failure what="The secret cannot be shown." error={show.error} /> : null}
      {rotate.isError ? <Failure what="The secret stays as it is." error={rotate.error} /> : null}
      <div className="actions">
        {secret === undefined ? (
          <button type="button" className="quiet small" disabled={show.isPending} onClick={() => show.mutate()}>
            Show the secret
          </button>
        ) : null}
        <Confirm
          label="Rotate secret"
          title="Rotate the secret?"
          yes="Rotate secret"
          busy={rotate.isPending}
          onYes={() => rotate.mutate(DAY_SECONDS)}
        >
          <p>The present one signs beside it for 24 hours, and no longer.</p>
        </Confirm>
        <Confirm
          label="Replace a leaked one"
          title="Replace the secret at once?"
          yes="Replace it"
          busy={rotate.isPending}
          onYes={() => rotate.mutate(0)}
        >
          <p>
            The present one and all former ones sign nothing more. Receivers refuse deliveries until they have the new
            one.
          </p>
        </Confirm>
      </div>
    </section>
  )
}
