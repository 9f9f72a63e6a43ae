// The secret that signs the deliveries: shown when it is asked for, and another one in its place (decisions W7).

import { useMutation } from "@tanstack/react-query"
import { client } from "../../api/client.ts"
import { hookSecret as texts } from "../../texts/hooks/hooks.ts"
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
      <h2 id="secret">{texts.signature}</h2>
      <p>
        {texts.everyDeliveryIsSigned(
          <a href="https://www.standardwebhooks.com">{texts.standardWebhooks}</a>,
          <DocsLink to="receiving-webhooks#verify-the-raw-body">{texts.howAReceiverVerifiesIt}</DocsLink>
        )}
      </p>
      <div aria-live="polite">
        {secret === undefined ? null : (
          <p>
            <code className="secret">{secret}</code>
          </p>
        )}
        {rotate.data === undefined ? null : (
          <p className="note">
            {rotate.variables === 0 ? texts.deliveriesCarryItsSignatureAlone : texts.for24HoursDeliveriesCarry}
          </p>
        )}
      </div>
      {show.isError ? <Failure what={texts.secretCannotBeShown} error={show.error} /> : null}
      {rotate.isError ? <Failure what={texts.secretStaysAsItIs} error={rotate.error} /> : null}
      <div className="actions">
        {secret === undefined ? (
          <button type="button" className="quiet small" disabled={show.isPending} onClick={() => show.mutate()}>
            {texts.showTheSecret}
          </button>
        ) : null}
        <Confirm
          label={texts.rotateSecret}
          title={texts.rotateTheSecret}
          yes={texts.rotateSecret}
          busy={rotate.isPending}
          onYes={() => rotate.mutate(DAY_SECONDS)}
        >
          <p>{texts.presentOneSignsBeside}</p>
        </Confirm>
        <Confirm
          label={texts.replaceALeakedOne}
          title={texts.replaceTheSecretAtOnce}
          yes={texts.replaceIt}
          busy={rotate.isPending}
          onYes={() => rotate.mutate(0)}
        >
          <p>{texts.presentOneAndAllFormer}</p>
        </Confirm>
      </div>
    </section>
  )
}
