// Authentication providers: where the tokens come from with which steps and webhooks sign in elsewhere (decisions P3).
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../../api/client.ts"
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
          {client_id} at {URL.parse(token_url)?.host ?? token_url} · <AllowedWords allowed={provider.allowed} />
        </small>
        <output>
          {attempt.isPending && <small className="muted">Asking for a token …</small>}
          {attempt.data?.works === true && <small className="muted">It has a token: it works.</small>}
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
        <button type="button" className="quiet small" aria-label={`Change ${name}`} onClick={() => setOpen(true)}>
          Change
        </button>
        <RemoveAccount
          name={name}
          yes="Delete the provider"
          uses={usesOfProvider(authentication_provider_id)}
          unused="No automation and no webhook names it."
          busy={remove.isPending}
          onYes={() => remove.mutate(undefined)}
        >
          <p>Steps that name it are skipped from then on, and webhooks that sign in by it fail.</p>
        </RemoveAccount>
      </div>
      {attempt.isError && <Failure what={`${name} was not tried.`} error={attempt.error} />}
      {remove.isError && <Failure what={`${name} was not deleted.`} error={remove.error} />}
      {open && <ProviderForm provider={provider} close={() => setOpen(false)} />}
    </li>
  )
}

const Providers = () => (
  <Asked query={useQuery(providers)} what="authentication providers">
    {({ authentication_providers }) =>
      authentication_providers.length === 0 ? (
        <Empty title="No provider">
          <p>Steps and webhooks that call other services with OAuth 2.0 get their tokens from a provider.</p>
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
        New provider
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
