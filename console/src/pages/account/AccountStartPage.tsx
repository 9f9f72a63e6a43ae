// The first page of the account: who the reader is, the organization that they act in, and the sign-out.
import "../admin/admin.css"
import { useQuery } from "@tanstack/react-query"
import { ask } from "../../api/account.ts"
import { accountStartPage as texts } from "../../texts/account/account.ts"
import { Page } from "../../ui/Page.tsx"
import { PlaceCards } from "../../ui/PlaceCards.tsx"
import { Asked, Failure } from "../../ui/states.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { useChange } from "../admin/adminQueries.ts"
import { type Self, self } from "./accountQueries.ts"
import { accountPlaces } from "./places.ts"

const Organizations = ({ organizations, user_id, waiting }: Self) => {
  const choose = useChange(
    (chosen: number) => ask("/account/organization", { user_id: chosen }),
    [],
    // Nothing of the former organization stays on the screen.
    () => location.assign("/console")
  )
  return (
    <section aria-labelledby="organizations">
      <h2 id="organizations">{texts.organizations}</h2>
      <ul className="plain card people">
        {organizations.map(({ org_name, role, user_id: id }) => (
          <li key={id} className="person">
            <div>
              <strong>{org_name}</strong>
              <small className="muted">{texts.youAreRole(role)}</small>
            </div>
            {id === user_id ? (
              <Tag tone="good">{texts.thisOne}</Tag>
            ) : (
              <button
                type="button"
                className="quiet small"
                disabled={choose.isPending}
                aria-label={texts.switchToOrgName(org_name)}
                onClick={() => choose.mutate(id)}
              >
                {texts.switch}
              </button>
            )}
          </li>
        ))}
        {waiting.map(({ org_name, user_id: id }) => (
          <li key={id} className="person">
            <div>
              <strong>{org_name}</strong>
              <small className="muted">{texts.asksForASecondStep}</small>
            </div>
            <a href="/account/factors?next=/organization" aria-label={texts.setUpASecondStep(org_name)}>
              {texts.setOneUp}
            </a>
          </li>
        ))}
      </ul>
      {choose.isError && <Failure what={texts.youAreStillHere} error={choose.error} />}
    </section>
  )
}

export const AccountStartPage = () => (
  <Page title={texts.yourAccount}>
    <Asked query={useQuery(self)} failed={texts.loadingYourAccountFailed}>
      {(known) => (
        <>
          <div className="card row">
            <div>
              <strong>{known.name}</strong>
              <br />
              <span className="muted">{known.email}</span>
            </div>
            <form method="post" action="/sign-out">
              <input type="hidden" name="csrf" value={known.csrf} />
              <button type="submit" className="quiet">
                {texts.signOut}
              </button>
            </form>
          </div>
          <PlaceCards places={accountPlaces} />
          <Organizations {...known} />
        </>
      )}
    </Asked>
  </Page>
)
