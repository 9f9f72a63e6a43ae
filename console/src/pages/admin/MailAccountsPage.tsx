// Mail accounts: by which servers the organization's mail goes out, each tried by a mail to the reader (decisions P3).
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../../api/client.ts"
import { mailAccountsPage as texts } from "../../texts/admin/providers.ts"
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
        {name} {is_default && <Tag tone="good">{texts.default}</Tag>}
        <small className="muted">
          {texts.fromAddressByHostPort(from_address, host, port)} <AllowedWords allowed={account.allowed} />
        </small>
        <output>
          {attempt.isPending && <small className="muted">{texts.sendingYouAMail}</small>}
          {attempt.data?.works === true && <small className="muted">{texts.mailToYouWasSent}</small>}
          {attempt.data?.works === false && (
            <small className="wrong">{texts.itDoesNotWork(attempt.data.message)}</small>
          )}
        </output>
      </div>
      <div className="person-actions">
        <button
          type="button"
          className="quiet small"
          aria-label={texts.tryName(name)}
          disabled={attempt.isPending}
          onClick={() => attempt.mutate(undefined)}
        >
          {texts.try}
        </button>
        {!is_default && (
          <button
            type="button"
            className="quiet small"
            aria-label={texts.makeTheDefault(name)}
            disabled={prefer.isPending}
            onClick={() => prefer.mutate(undefined)}
          >
            {texts.makeDefault}
          </button>
        )}
        <button type="button" className="quiet small" aria-label={texts.changeName(name)} onClick={() => setOpen(true)}>
          {texts.change}
        </button>
        <RemoveAccount
          name={name}
          yes={texts.deleteTheAccount}
          uses={usesOfMailAccount(smtp_account_id)}
          unused={texts.noAutomationNamesIt}
          busy={remove.isPending}
          onYes={() => remove.mutate(undefined)}
        >
          <p>{is_default ? texts.mailThatNamesNoAccount : texts.stepsThatNameItFail}</p>
        </RemoveAccount>
      </div>
      {attempt.isError && <Failure what={texts.wasNotTried(name)} error={attempt.error} />}
      {prefer.isError && <Failure what={texts.isNotTheDefault(name)} error={prefer.error} />}
      {remove.isError && <Failure what={texts.wasNotDeleted(name)} error={remove.error} />}
      {open && <MailAccountForm account={account} close={() => setOpen(false)} />}
    </li>
  )
}

const MailAccounts = () => (
  <Asked query={useQuery(mailAccounts)} failed={texts.loadingMailAccountsFailed}>
    {({ smtp_accounts }) =>
      smtp_accounts.length === 0 ? (
        <Empty title={texts.noMailAccount}>
          <p>{texts.mailOfThisOrganizationGoes}</p>
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
        {texts.newMailAccount}
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
