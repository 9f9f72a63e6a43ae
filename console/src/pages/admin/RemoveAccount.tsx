// The end of a mail account or a provider: what uses it is said first.
import { type UseQueryOptions, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { removeAccount as texts } from "../../texts/admin/providers.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { Asked } from "../../ui/states.tsx"
import type { Uses } from "./providerQueries.ts"

const UsesList = ({ uses, unused }: { readonly uses: Uses; readonly unused: string }) => {
  const { automations, hooks, other_automations, other_hooks } = uses
  const otherUses = [
    ...(other_automations > 0 ? [texts.automations(other_automations)] : []),
    ...(other_hooks > 0 ? [texts.webhooks(other_hooks)] : [])
  ]
  if (automations.length + hooks.length + otherUses.length === 0) return <p>{unused}</p>
  return (
    <>
      <p>{texts.inUseBy}</p>
      <ul>
        {automations.map(({ app_name, automation_id, name }) => (
          <li key={automation_id}>
            {texts.ofAppName(
              <Link to="/automations/$automationId" params={{ automationId: String(automation_id) }}>
                {name}
              </Link>,
              app_name
            )}
          </li>
        ))}
        {hooks.map(({ hook_id, host }) => (
          <li key={hook_id}>
            <Link to="/webhooks/$hookId" params={{ hookId: String(hook_id) }}>
              {texts.webhookToHost(host)}
            </Link>
          </li>
        ))}
        {otherUses.length > 0 && <li>{texts.otherUsesOfApps(otherUses.join(texts.and))}</li>}
      </ul>
    </>
  )
}

interface RemoveAccountProps<Key extends ReadonlyArray<unknown>> {
  readonly name: string
  readonly yes: string
  readonly uses: UseQueryOptions<Uses, Error, Uses, Key>
  readonly unused: string
  readonly busy: boolean
  readonly onYes: () => void
  /** Says what becomes of the things that use it. */
  readonly children: ReactNode
}

const Question = <Key extends ReadonlyArray<unknown>>({
  children,
  close,
  name,
  onYes,
  unused,
  uses,
  yes
}: RemoveAccountProps<Key> & { readonly close: () => void }) => (
  <Dialog title={texts.deleteQuestion(name)} close={close}>
    <Asked query={useQuery(uses)} failed={texts.loadingTheUsesFailed}>
      {(found) => (
        <>
          <UsesList uses={found} unused={unused} />
          {children}
          <button
            type="button"
            className="danger"
            onClick={() => {
              close()
              onYes()
            }}
          >
            {yes}
          </button>
        </>
      )}
    </Asked>
  </Dialog>
)

export const RemoveAccount = <Key extends ReadonlyArray<unknown>>(props: RemoveAccountProps<Key>) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className="quiet small"
        disabled={props.busy}
        aria-label={texts.deleteName(props.name)}
        onClick={() => setOpen(true)}
      >
        {texts.delete}
      </button>
      {open && <Question {...props} close={() => setOpen(false)} />}
    </>
  )
}
