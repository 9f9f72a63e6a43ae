// Lists the reader's sessions, and signs out of each (decisions O12, "The console").
import { useQuery } from "@tanstack/react-query"
import { client } from "../../api/client.ts"
import { sessionsPage as texts } from "../../texts/account/account.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Asked, Failure } from "../../ui/states.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { Time } from "../../ui/Time.tsx"
import { ownSessions, useChange } from "../admin/adminQueries.ts"
import { AccountPage } from "./AccountPage.tsx"
import { browserOf } from "./browserOf.ts"

const Sessions = () => {
  const query = useQuery(ownSessions)
  const end = useChange((session_id: number) => client.accounts.sessionEnd({ session_id }), [["sessions"]])
  const endOthers = useChange(() => client.accounts.sessionEndOthers({}), [["sessions"]])
  return (
    <Asked query={query} failed={texts.loadingYourSessionsFailed}>
      {({ sessions }) => (
        <>
          <ul className="plain card people">
            {sessions.map(({ agent, created_on, current, last_seen_on, session_id, source_address }) => (
              <li key={session_id} className="person">
                <div>
                  <strong title={agent ?? undefined}>{browserOf(agent)}</strong>
                  <small className="muted">
                    {texts.signedInTime(<Time at={created_on} />)}
                    {source_address !== null && <> {texts.fromSourceAddress(source_address)}</>}
                  </small>
                </div>
                <span className="muted">
                  {current ? <Tag tone="good">{texts.thisOne}</Tag> : texts.usedTime(<Time at={last_seen_on} />)}
                </span>
                {!current && (
                  <Confirm
                    label={texts.signOut}
                    about={browserOf(agent)}
                    title={texts.signOutBrowser(browserOf(agent))}
                    yes={texts.signOut}
                    busy={end.isPending}
                    onYes={() => end.mutate(session_id)}
                  >
                    <p>{texts.whoeverSitsThere}</p>
                  </Confirm>
                )}
              </li>
            ))}
          </ul>
          {end.isError && <Failure what={texts.itIsStillSignedIn} error={end.error} />}
          {endOthers.isError && <Failure what={texts.theyAreStillSignedIn} error={endOthers.error} />}
          {sessions.length > 1 && (
            <Confirm
              label={texts.signOutEverywhereElse}
              title={texts.signOutEverywhereElseQuestion}
              yes={texts.signOut}
              busy={endOthers.isPending}
              onYes={() => endOthers.mutate(undefined)}
            >
              <p>{texts.onlyThisBrowserStaysSigned}</p>
            </Confirm>
          )}
        </>
      )}
    </Asked>
  )
}

export const SessionsPage = () => (
  <AccountPage at="/account/sessions">
    <Sessions />
  </AccountPage>
)
