// Shows a secret in a list: replaces its value or deletes it.
import { useId, useState } from "react"
import { client } from "../../api/client.ts"
import { secretRow as texts } from "../../texts/admin/secrets.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { Failure } from "../../ui/states.tsx"
import { Time } from "../../ui/Time.tsx"
import { AllowedWords } from "./AllowedField.tsx"
import { AllowSecret } from "./AllowSecret.tsx"
import { useChange } from "./adminQueries.ts"
import type { Secret } from "./secretQueries.ts"

const ReplaceDialog = ({ secret, close }: { readonly secret: Secret; readonly close: () => void }) => {
  const id = useId()
  const [value, setValue] = useState("")
  const replace = useChange(
    () => client.secrets.update({ secret_id: secret.secret_id, body: { value } }),
    [["secrets"]],
    close
  )
  return (
    <Dialog title={texts.newValueOf(secret.name)} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          replace.mutate(undefined)
        }}
      >
        <div className="field">
          <label htmlFor={id}>{texts.value}</label>
          <input
            id={id}
            type="password"
            required
            minLength={6}
            maxLength={8192}
            autoComplete="new-password"
            value={value}
            onChange={({ target }) => setValue(target.value)}
          />
          <small className="muted">{texts.stepsThatBeginFromNow}</small>
        </div>
        {replace.isError && <Failure what={texts.valueStaysAsItWas} error={replace.error} />}
        <button type="submit" disabled={replace.isPending}>
          {texts.replaceTheValue}
        </button>
      </form>
    </Dialog>
  )
}

export const SecretRow = ({ secret, mayManage }: { readonly secret: Secret; readonly mayManage: boolean }) => {
  const { allowed, description, name, secret_id, updated_at } = secret
  const [open, setOpen] = useState<"value" | "allowed">()
  const remove = useChange(() => client.secrets.remove({ secret_id }), [["secrets"]])
  return (
    <li className="person">
      <div>
        <code>{name}</code>
        <small className="muted">
          {description !== null && <>{description} · </>}
          {allowed !== null && (
            <>
              <AllowedWords allowed={allowed} /> ·{" "}
            </>
          )}
          {texts.writtenTime(<Time at={updated_at} />)}
        </small>
      </div>
      {mayManage && (
        <div className="person-actions">
          <button
            type="button"
            className="quiet small"
            aria-label={texts.replaceName(name)}
            onClick={() => setOpen("value")}
          >
            {texts.replace}
          </button>
          {allowed !== null && (
            <button
              type="button"
              className="quiet small"
              aria-label={texts.whoMayUseItName(name)}
              onClick={() => setOpen("allowed")}
            >
              {texts.whoMayUseIt}
            </button>
          )}
          <Confirm
            label={texts.delete}
            about={name}
            title={texts.deleteQuestion(name)}
            yes={texts.deleteTheSecret}
            busy={remove.isPending}
            onYes={() => remove.mutate(undefined)}
          >
            <p>{texts.automationsThatNameItFail}</p>
          </Confirm>
        </div>
      )}
      {remove.isError && <Failure what={texts.wasNotDeleted(name)} error={remove.error} />}
      {open === "value" && <ReplaceDialog secret={secret} close={() => setOpen(undefined)} />}
      {open === "allowed" && allowed !== null && (
        <AllowSecret secret={secret} allowed={allowed} close={() => setOpen(undefined)} />
      )}
    </li>
  )
}
