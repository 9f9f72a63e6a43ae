// A mail account, added or changed. Its password is typed blind and never shown; one that would go to another server is typed again.
import { useState } from "react"
import { client } from "../../api/client.ts"
import { mailAccountForm as texts } from "../../texts/admin/providers.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { Failure } from "../../ui/states.tsx"
import { AllowedField, nobody } from "./AllowedField.tsx"
import { useChange } from "./adminQueries.ts"
import { ChoiceField, FormField } from "./FormField.tsx"
import type { MailAccount } from "./providerQueries.ts"

const securities = texts.securities

const draftOf = (account: MailAccount | undefined) => ({
  name: account?.name ?? "",
  host: account?.host ?? "",
  port: String(account?.port ?? 587),
  security: account?.security ?? ("starttls" as const),
  username: account?.username ?? "",
  password: "",
  from_address: account?.from_address ?? "",
  from_name: account?.from_name ?? ""
})

const filled = (text: string) => (text.trim() === "" ? null : text.trim())

interface MailAccountFormProps {
  /** Account to change; absent for a new one. */
  readonly account?: MailAccount
  readonly close: () => void
}
export const MailAccountForm = ({ account, close }: MailAccountFormProps) => {
  const [draft, setDraft] = useState(() => draftOf(account))
  const [allowed, setAllowed] = useState(account?.allowed ?? nobody)
  const set = (key: keyof typeof draft) => (value: string) => setDraft({ ...draft, [key]: value })
  const moved =
    account !== undefined &&
    (account.host !== draft.host.trim() ||
      account.port !== Number(draft.port) ||
      account.security !== draft.security ||
      account.username !== filled(draft.username))
  const keep = useChange(
    () => {
      const { password, ...rest } = draft
      const body = {
        ...rest,
        name: draft.name.trim(),
        host: draft.host.trim(),
        port: Number(draft.port),
        username: filled(draft.username),
        from_address: draft.from_address.trim(),
        from_name: filled(draft.from_name),
        allowed,
        ...(password !== "" && { password })
      }
      return account === undefined
        ? client.mailAccounts.create({ body })
        : client.mailAccounts.update({ smtp_account_id: account.smtp_account_id, body })
    },
    [["mail accounts"]],
    close
  )
  const needsPassword = moved && account.password_set && draft.username.trim() !== ""
  return (
    <Dialog title={account === undefined ? texts.newMailAccount : texts.change(account.name)} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          keep.mutate(undefined)
        }}
      >
        <FormField label={texts.name} value={draft.name} change={set("name")} required maxLength={200} />
        <FormField
          label={texts.server}
          value={draft.host}
          change={set("host")}
          required
          maxLength={253}
          placeholder="smtp.example.com"
        />
        <FormField
          label={texts.port}
          value={draft.port}
          change={set("port")}
          required
          inputMode="numeric"
          pattern="[0-9]{1,5}"
          hint={texts.asARule}
        />
        <ChoiceField label={texts.encryption} value={draft.security} choices={securities} change={set("security")} />
        <FormField label={texts.username} value={draft.username} change={set("username")} maxLength={500} />
        <FormField
          label={texts.password}
          type="password"
          value={draft.password}
          change={set("password")}
          maxLength={2000}
          autoComplete="new-password"
          required={needsPassword}
          hint={
            needsPassword
              ? texts.typeItAgain
              : account?.password_set === true
                ? texts.leftEmptyItStays
                : texts.nobodyCanReadItAfterwards
          }
        />
        <FormField
          label={texts.sendersAddress}
          type="email"
          value={draft.from_address}
          change={set("from_address")}
          required
          maxLength={254}
        />
        <FormField label={texts.sendersName} value={draft.from_name} change={set("from_name")} maxLength={200} />
        <AllowedField value={allowed} change={setAllowed} />
        {keep.isError && <Failure what={texts.accountWasNotKept} error={keep.error} />}
        <button type="submit" disabled={keep.isPending}>
          {account === undefined ? texts.addTheAccount : texts.keepTheChanges}
        </button>
      </form>
    </Dialog>
  )
}
