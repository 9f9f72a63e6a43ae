// Authentication providers: where the tokens come from with which steps and webhooks sign in elsewhere (decisions P3).
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../../api/client.ts"
import { providersPage as texts } from "../../texts/admin/providers.ts"
import { Asked, Empty, Failure } from "../../ui/states.tsx"
import { AdminPage } from "./AdminPage.tsx"
import { AllowedWords } from "./AllowedField.tsx"
import { useChange } from "./adminQueries.ts"
import { ProviderForm } from "./ProviderForm.tsx"
import { type Provider, providers, usesOfProvider } from "./providerQueries.ts"
import { RemoveAccount } from "./RemoveAccount.tsx"

const ProviderRow = ({ provider }: { readonly provider: Provider }) => {
  const { authentication_provider_id, client_id, name, token_url } = provider
  const [open, setOpen] = useState(false)
  const attempt = useChange(() => client.authenticationProviders.try({ authentication_provider_id }), [["providers"]])
  const remove = useChange(() => client.authenticationProviders.remove({ authentication_provider_id }), [["providers"]])
  return (
    <li className="person">
      <div>
        {name}
        <small className="muted">
          {texts.clientIdAtHost(client_id, URL.parse(token_url)?.host ?? token_url)}{" "}
          <AllowedWords allowed={provider.allowed} />
        </small>
        <output>
          {attempt.isPending && <small className="muted">{texts.askingForAToken}</small>}
          {attempt.data?.works === true && <small className="muted">{texts.itHasAToken}</small>}
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
        <button type="button" className="quiet small" aria-label={texts.changeName(name)} onClick={() => setOpen(true)}>
          {texts.change}
        </button>
        <RemoveAccount
          name={name}
          yes={texts.deleteTheProvider}
          uses={usesOfProvider(authentication_provider_id)}
          unused={texts.noAutomationAndNoWebhook}
          busy={remove.isPending}
          onYes={() => remove.mutate(undefined)}
        >
          <p>{texts.stepsThatName}</p>
        </RemoveAccount>
      </div>
      {attempt.isError && <Failure what={texts.wasNotTried(name)} error={attempt.error} />}
      {remove.isError && <Failure what={texts.wasNotDeleted(name)} error={remove.error} />}
      {open && <ProviderForm provider={provider} close={() => setOpen(false)} />}
    </li>
  )
}

const Providers = () => (
  <Asked query={useQuery(providers)} failed={texts.loadingAuthenticationProvidersFailed}>
    {({ authentication_providers }) =>
      authentication_providers.length === 0 ? (
        <Empty title={texts.noProvider}>
          <p>{texts.stepsAndWebhooksThatCall}</p>
        </Empty>
      ) : (
        <ul className="plain card people">
          {authentication_providers.map((provider) => (
            <ProviderRow key={provider.authentication_provider_id} provider={provider} />
          ))}
        </ul>
      )
    }
  </Asked>
)

const NewProvider = () => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {texts.newProvider}
      </button>
      {open && <ProviderForm close={() => setOpen(false)} />}
    </>
  )
}

export const ProvidersPage = () => (
  <AdminPage at="/admin/providers" actions={() => <NewProvider />}>
    {() => <Providers />}
  </AdminPage>
)
