// Lists the reader's sessions, and signs out of each (decisions O12, "The console").
import { useQuery } from "@tanstack/react-query"
import { client } from "../../api/client.ts"
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
    <Asked query={query} what="your sessions">
      {({ sessions }) => (
        <>
          <ul className="plain card people">
            {sessions.map(({ agent, created_on, current, last_seen_on, session_id, source_address }) => (
              <li key={session_id} className="person">
                <div>
                  <strong title={agent ?? undefined}>{browserOf(agent)}</strong>
                  <small className="muted">
                    Signed in <Time at={created_on} />
                    {source_address !== null && <> from {source_address}</>}
                  </small>
                </div>
                <span className="muted">
                  {current ? (
                    <Tag tone="good">This one</Tag>
                  ) : (
                    <>
                      Used <Time at={last_seen_on} />
                    </>
                  )}
                </span>
                {!current && (
                  <Confirm
                    label="Sign out"
                    about={browserOf(agent)}
                    title={`Sign out ${browserOf(agent)}?`}
                    yes="Sign out"
                    busy={end.isPending}
                    onYes={() => end.mutate(session_id)}
                  >
                    <p>Whoever sits there has to sign in again. Connected apps and tokens go on.</p>
                  </Confirm>
                )}
              </li>
            ))}
          </ul>
          {end.isError && <Failure what="It is still signed in." error={end.error} />}
          {endOthers.isError && <Failure what="They are still signed in." error={endOthers.error} />}
          {sessions.length > 1 && (
            <Confirm
              label="Sign out everywhere else"
              title="Sign out everywhere else?"
              yes="Sign out"
              busy={endOthers.isPending}
              onYes={() => endOthers.mutate(undefined)}
            >
              <p>Only this browser stays signed in. Connected apps and tokens go on.</p>
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
