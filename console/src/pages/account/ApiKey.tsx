// The reader's API key: one, made or rotated, shown once (developer-api.md 1.7).
import { ask } from "../../api/account.ts"
import { apiKey as texts } from "../../texts/account/tokens.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { SecretOnce } from "../../ui/SecretOnce.tsx"
import { Failure } from "../../ui/states.tsx"
import { Time } from "../../ui/Time.tsx"
import { useChange } from "../admin/adminQueries.ts"
import { CREDENTIALS, type Credentials, type Secret } from "./credentialQueries.ts"

export const ApiKey = ({ apiKey }: { readonly apiKey: Credentials["api_key"] }) => {
  const rotate = useChange(() => ask<Secret>("/account/credentials/rotate-key"), [CREDENTIALS])
  return (
    <section className="card" aria-labelledby="api-key">
      <h2 id="api-key">{texts.apiKey}</h2>
      <p>{texts.itMayDoEverything}</p>
      {rotate.isSuccess && (
        <SecretOnce key={rotate.data.token} secret={rotate.data.token}>
          {texts.thisIsYourNewApi}
        </SecretOnce>
      )}
      {apiKey === null ? (
        <button type="button" disabled={rotate.isPending} onClick={() => rotate.mutate(undefined)}>
          {texts.createApiKey}
        </button>
      ) : (
        <div className="row">
          <p>
            <code>{apiKey.masked}</code>
            <br />
            <small className="muted">{texts.createdTime(<Time at={apiKey.created_on} />)}</small>
          </p>
          <Confirm
            label={texts.rotate}
            about={texts.apiKey}
            title={texts.rotateTheApiKey}
            yes={texts.rotateKey}
            busy={rotate.isPending}
            onYes={() => rotate.mutate(undefined)}
          >
            <p>{texts.presentKeyStopsWorking}</p>
          </Confirm>
        </div>
      )}
      {rotate.isError && <Failure what={texts.keyStaysAsItIs} error={rotate.error} />}
    </section>
  )
}
