// An authentication provider, added or changed. Secrets are typed blind and never shown; those that would go elsewhere are typed again.
import { useState } from "react"
import { client } from "../../api/client.ts"
import { providerForm as texts } from "../../texts/admin/providers.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { Failure } from "../../ui/states.tsx"
import { AllowedField, nobody } from "./AllowedField.tsx"
import { useChange } from "./adminQueries.ts"
import { ChoiceField, FormField } from "./FormField.tsx"
import type { Provider } from "./providerQueries.ts"

const grants = texts.grants
const clientAuths = texts.clientAuths

const draftOf = (provider: Provider | undefined) => ({
  name: provider?.name ?? "",
  grant_type: provider?.grant_type ?? ("client_credentials" as const),
  token_url: provider?.token_url ?? "",
  client_id: provider?.client_id ?? "",
  client_auth: provider?.client_auth ?? ("basic" as const),
  scope: provider?.scope ?? "",
  client_secret: "",
  refresh_token: ""
})

const secretHint = (again: boolean, isSet: boolean) =>
  again ? texts.typeItAgain : isSet ? texts.leftEmptyItStays : texts.nobodyCanReadItAfterwards

interface ProviderFormProps {
  /** Provider to change; absent for a new one. */
  readonly provider?: Provider
  readonly close: () => void
}
export const ProviderForm = ({ provider, close }: ProviderFormProps) => {
  const [draft, setDraft] = useState(() => draftOf(provider))
  const [allowed, setAllowed] = useState(provider?.allowed ?? nobody)
  const set = (key: keyof typeof draft) => (value: string) => setDraft({ ...draft, [key]: value })
  const moved =
    provider !== undefined &&
    (provider.token_url !== draft.token_url.trim() ||
      provider.client_id !== draft.client_id.trim() ||
      provider.grant_type !== draft.grant_type)
  const refreshes = draft.grant_type === "refresh_token"
  const keep = useChange(
    () => {
      const { client_secret, refresh_token, ...rest } = draft
      const scope = draft.scope.trim()
      const body = {
        ...rest,
        name: draft.name.trim(),
        token_url: draft.token_url.trim(),
        client_id: draft.client_id.trim(),
        scope: scope === "" ? null : scope,
        allowed,
        ...(client_secret !== "" && { client_secret }),
        ...(refreshes && refresh_token !== "" && { refresh_token })
      }
      return provider === undefined
        ? client.authenticationProviders.create({ body })
        : client.authenticationProviders.update({
            authentication_provider_id: provider.authentication_provider_id,
            body
          })
    },
    [["providers"]],
    close
  )
  const needsSecret = provider === undefined ? !refreshes : moved && (provider.client_secret_set || !refreshes)
  const needsToken = refreshes && (provider === undefined || moved)
  return (
    <Dialog title={provider === undefined ? texts.newProvider : texts.change(provider.name)} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          keep.mutate(undefined)
        }}
      >
        <FormField label={texts.name} value={draft.name} change={set("name")} required maxLength={200} />
        <FormField
          label={texts.addressThatGivesTokens}
          type="url"
          value={draft.token_url}
          change={set("token_url")}
          required
          maxLength={2000}
          placeholder="https://login.example.com/oauth/token"
        />
        <ChoiceField
          label={texts.howTokensAreGot}
          value={draft.grant_type}
          choices={grants}
          change={set("grant_type")}
        />
        <FormField label={texts.clientId} value={draft.client_id} change={set("client_id")} required maxLength={1000} />
        <FormField
          label={texts.clientSecret}
          type="password"
          value={draft.client_secret}
          change={set("client_secret")}
          maxLength={4000}
          autoComplete="new-password"
          required={needsSecret}
          hint={secretHint(provider !== undefined && needsSecret, provider?.client_secret_set === true)}
        />
        {refreshes && (
          <FormField
            label={texts.refreshToken}
            type="password"
            value={draft.refresh_token}
            change={set("refresh_token")}
            maxLength={8000}
            autoComplete="new-password"
            required={needsToken}
            hint={secretHint(provider !== undefined && needsToken, provider?.refresh_token_set === true)}
          />
        )}
        <ChoiceField
          label={texts.whereClientIdAndSecret}
          value={draft.client_auth}
          choices={clientAuths}
          change={set("client_auth")}
        />
        <FormField
          label={texts.scope}
          value={draft.scope}
          change={set("scope")}
          maxLength={2000}
          hint={texts.asTheOtherSideNames}
        />
        <AllowedField value={allowed} change={setAllowed} />
        {keep.isError && (
          <Failure
            what={texts.providerWasNotKept}
            error={keep.error}
            labels={{ token_url: texts.addressThatGivesTokens }}
          />
        )}
        <button type="submit" disabled={keep.isPending}>
          {provider === undefined ? texts.addTheProvider : texts.keepTheChanges}
        </button>
      </form>
    </Dialog>
  )
}
