// Shows a personal access token in a list: renames it, or revokes it after a question.
import { useState } from "react"
import { ask } from "../../api/account.ts"
import { tokenRow as texts } from "../../texts/account/tokens.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { Failure } from "../../ui/states.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { LastUsed, Time } from "../../ui/Time.tsx"
import { useChange } from "../admin/adminQueries.ts"
import { FormField } from "../admin/FormField.tsx"
import { CREDENTIALS, type Token } from "./credentialQueries.ts"

const RenameDialog = ({ token, close }: { readonly token: Token; readonly close: () => void }) => {
  const { credential_id } = token
  const [name, setName] = useState(token.name)
  const rename = useChange(() => ask("/account/credentials/rename", { credential_id, name }), [CREDENTIALS], close)
  return (
    <Dialog title={texts.renameName(token.name)} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          rename.mutate(undefined)
        }}
      >
        <FormField label={texts.name} value={name} change={setName} required maxLength={500} />
        {rename.isError && <Failure what={texts.nameStaysAsItIs} error={rename.error} />}
        <button type="submit" disabled={rename.isPending}>
          {texts.rename}
        </button>
      </form>
    </Dialog>
  )
}

const contentOf = ({ app_ids, content_selection, workspace_ids }: Token) => {
  const counts = [
    [workspace_ids.length, "workspace"],
    [app_ids.length, "app"]
  ] as const
  const words = counts.flatMap(([n, what]) => (n === 0 ? [] : [texts.nWhatS(n, what)]))
  return content_selection === "all" ? texts.allContent : texts.onlyWords(words.join(texts.and))
}

export const TokenRow = ({ token }: { readonly token: Token }) => {
  const { created_on, credential_id, last_used_on, masked, name, revoked_on, scopes } = token
  const [isRenamed, setRenamed] = useState(false)
  const revoke = useChange(() => ask("/account/credentials/revoke", { credential_id }), [CREDENTIALS])
  return (
    <li className="person">
      <div>
        <strong>{name}</strong> {revoked_on !== null && <Tag tone="bad">{texts.revoked}</Tag>}
        <small className="muted">
          {texts.maskedCreatedTime(<code>{masked}</code>, <Time at={created_on} />)}
          {revoked_on !== null && <> {texts.revokedTime(<Time at={revoked_on} />)}</>} · <LastUsed at={last_used_on} />
        </small>
        <small className="muted">
          {contentOf(token)} · {scopes.join(", ")}
        </small>
      </div>
      <div className="person-actions">
        <button
          type="button"
          className="quiet small"
          aria-label={texts.renameName(name)}
          onClick={() => setRenamed(true)}
        >
          {texts.rename}
        </button>
        {revoked_on === null && (
          <Confirm
            label={texts.revoke}
            about={name}
            title={texts.revokeQuestion(name)}
            yes={texts.revokeToken}
            busy={revoke.isPending}
            onYes={() => revoke.mutate(undefined)}
          >
            <p>{texts.itStopsWorking}</p>
          </Confirm>
        )}
      </div>
      {revoke.isError && <Failure what={texts.itWasNotRevoked} error={revoke.error} />}
      {isRenamed && <RenameDialog token={token} close={() => setRenamed(false)} />}
    </li>
  )
}
