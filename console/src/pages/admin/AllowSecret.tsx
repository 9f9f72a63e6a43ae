// Which workspaces may use a secret of the organization, changed by its owners and admins.
import { useState } from "react"
import { client } from "../../api/client.ts"
import { allowSecret as texts } from "../../texts/admin/secrets.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { Failure } from "../../ui/states.tsx"
import { type Allowed, AllowedField } from "./AllowedField.tsx"
import { useChange } from "./adminQueries.ts"
import type { Secret } from "./secretQueries.ts"

interface AllowSecretProps {
  readonly secret: Secret
  readonly allowed: Allowed
  readonly close: () => void
}
export const AllowSecret = ({ secret, allowed, close }: AllowSecretProps) => {
  const [draft, setDraft] = useState(allowed)
  const save = useChange(
    () => client.secrets.update({ secret_id: secret.secret_id, body: { allowed: draft } }),
    [["secrets"]],
    close
  )
  return (
    <Dialog title={texts.whoMayUse(secret.name)} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate(undefined)
        }}
      >
        <AllowedField value={draft} change={setDraft} />
        {save.isError && <Failure what={texts.whoMayUseItStays} error={save.error} />}
        <button type="submit" disabled={save.isPending}>
          {texts.save}
        </button>
      </form>
    </Dialog>
  )
}
