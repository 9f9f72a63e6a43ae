// Personal access tokens and the API key of the reader (developer-api.md 1.7).
import { useQuery } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { tokensPage as texts } from "../../texts/account/tokens.ts"
import { SecretOnce } from "../../ui/SecretOnce.tsx"
import { Asked } from "../../ui/states.tsx"
import { AccountPage } from "./AccountPage.tsx"
import { ApiKey } from "./ApiKey.tsx"
import { credentials } from "./credentialQueries.ts"
import { NewToken } from "./NewToken.tsx"
import { TokenRow } from "./TokenRow.tsx"

const NoMore = ({ children }: { readonly children: ReactNode }) => <p className="note warn">{children}</p>

const Tokens = () => {
  // Stays when the form goes: the last token that there can be is shown too.
  const [secret, setSecret] = useState<string>()
  return (
    <Asked query={useQuery(credentials)} failed={texts.loadingYourTokensFailed}>
      {(known) => {
        const active = known.tokens.filter(({ revoked_on }) => revoked_on === null).length
        return (
          <>
            {secret !== undefined && (
              <SecretOnce key={secret} secret={secret}>
                {texts.thisIsYourNewToken}
              </SecretOnce>
            )}
            {!known.may_create ? (
              <NoMore>{texts.guestsCannotCreatePersonalAccess}</NoMore>
            ) : active >= known.most_active ? (
              <NoMore>{texts.youHaveActiveTokens(active)}</NoMore>
            ) : (
              <NewToken known={known} onCreated={setSecret} />
            )}
            {known.tokens.length > 0 && (
              <section aria-labelledby="tokens">
                <h2 id="tokens">{texts.yourTokens}</h2>
                <ul className="plain card people">
                  {known.tokens.map((token) => (
                    <TokenRow key={token.credential_id} token={token} />
                  ))}
                </ul>
              </section>
            )}
            <ApiKey apiKey={known.api_key} />
          </>
        )
      }}
    </Asked>
  )
}

export const TokensPage = () => (
  <AccountPage at="/account/tokens">
    <Tokens />
  </AccountPage>
)
