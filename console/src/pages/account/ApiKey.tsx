// The reader's API key: one, made or rotated, shown once (developer-api.md 1.7).
import { ask } from "../../api/account.ts"
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
      <h2 id="api-key">API key</h2>
      <p>It may do everything that you may do in this organization. For a single purpose, a token is safer.</p>
      {rotate.isSuccess && (
        <SecretOnce key={rotate.data.token} secret={rotate.data.token}>
          This is your new API key. Copy it now: it is not shown again.
        </SecretOnce>
      )}
      {apiKey === null ? (
        <button type="button" disabled={rotate.isPending} onClick={() => rotate.mutate(undefined)}>
          Create API key
        </button>
      ) : (
        <div className="row">
          <p>
            <code>{apiKey.masked}</code>
            <br />
            <small className="muted">
              Created <Time at={apiKey.created_on} />
            </small>
          </p>
          <Confirm
            label="Rotate"
            about="API key"
            title="Rotate the API key?"
            yes="Rotate key"
            busy={rotate.isPending}
            onYes={() => rotate.mutate(undefined)}
          >
            <p>The present key stops working at once, wherever it is used.</p>
          </Confirm>
        </div>
      )}
      {rotate.isError && <Failure what="The key stays as it is." error={rotate.error} />}
    </section>
  )
}
