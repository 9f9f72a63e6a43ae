// Mail accounts: by which servers the organization's mail goes out, each tried by a mail to the reader (decisions P3).
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../../api/client.ts"
import { Asked, Empty, Failure } from "../../ui/states.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { AdminPage } from "./AdminPage.tsx"
import { AllowedWords } from "./AllowedField.tsx"
import { useChange } from "./adminQueries.ts"
import { MailAccountForm } from "./MailAccountForm.tsx"
import { type MailAccount, mailAccounts, usesOfMailAccount } from "./providerQueries.ts"
import { RemoveAccount } from "./RemoveAccount.tsx"

const MailAccountRow = ({ account }: { readonly account: MailAccount }) => {
  const { from_address, host, is_default, name, port, smtp_account_id } = account
  const [open, setOpen] = useState(false)
  const stale = [["mail accounts"]]
  const attempt = useChange(() => client.mailAccounts.try({ smtp_account_id }), [])
  const prefer = useChange(() => client.mailAccounts.update({ smtp_account_id, body: { is_default: true } }), stale)
  const remove = useChange(() => client.mailAccounts.remove({ smtp_account_id }), stale)
  return (
    <li className="person">
      <div>
        {name} {is_default && <Tag tone="good">default</Tag>}
        <small className="muted">
          {from_address} by {host}:{port} · <AllowedWords allowed={account.allowed} />
        </small>
        <output>
          {attempt.isPending && <small className="muted">Sending you a mail …</small>}
          {attempt.data?.works === true && <small className="muted">A mail to you was sent: it works.</small>}
          {attempt.data?.works === false && <small className="wrong">It does not work. {attempt.data.message}</small>}
        </output>
      </div>
      <div className="person-actions">
        <button
          type="button"
          className="quiet small"
          aria-label={`Try ${name}`}
          disabled={attempt.isPending}
          onClick={() => attempt.mutate(undefined)}
        >
          Try
        </button>
        {!is_default && (
          <button
            type="button"
            className="quiet small"
            aria-label={`Make ${name} the default`}
            disabled={prefer.isPending}
            onClick={() => prefer.mutate(undefined)}
          >
            Make default
          </button>
        )}
        <button type="button" className="quiet small" aria-label={`Change ${name}`} onClick={() => setOpen(true)}>
          Change
        </button>
        <RemoveAccount
          name={name}
          yes="Delete the account"
          uses={usesOfMailAccount(smtp_account_id)}
          unused="No automation names it."
          busy={remove.isPending}
          onYes={() => remove.mutate(undefined)}
        >
          <p>
            {is_default
              ? "Mail that names no account goes by the installation's server from then on. Steps that name this account fail."
              : "Steps that name it fail from then on."}
          </p>
        </RemoveAccount>
      </div>
      {attempt.isError && <Failure what={`${name} was not tried.`} error={attempt.error} />}
      {prefer.isError && <Failure what={`${name} is not the default.`} error={prefer.error} />}
      {remove.isError && <Failure what={`${name} was not deleted.`} error={remove.error} />}
      {open && <MailAccountForm account={account} close={() => setOpen(false)} />}
    </li>
  )
}

const MailAccounts = () => (
  <Asked query={useQuery(mailAccounts)} what="mail accounts">
    {({ smtp_accounts }) =>
      smtp_accounts.length === 0 ? (
        <Empty title="No mail account">
          <p>Mail of this organization goes by the installation's server, where it has one.</p>
        </Empty>
      ) : (
        <ul className="plain card people">
          {smtp_accounts.map((account) => (
            <MailAccountRow key={account.smtp_account_id} account={account} />
          ))}
        </ul>
      )
    }
  </Asked>
)

const NewMailAccount = () => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        New mail account
      </button>
      {open && <MailAccountForm close={() => setOpen(false)} />}
    </>
  )
}

export const MailAccountsPage = () => (
  <AdminPage at="/admin/mail" actions={() => <NewMailAccount />}>
    {() => <MailAccounts />}
  </AdminPage>
)
