// The sign-in policy: a second step for everybody or not, and who has one (decisions, "The second step"); changed by admins who confirmed that it
// is them.
import { useQuery } from "@tanstack/react-query"
import { signInPolicyPage as texts } from "../../texts/admin/admin.ts"
import { Asked } from "../../ui/states.tsx"
import { AdminPage } from "./AdminPage.tsx"
import { Requirement } from "./Requirement.tsx"
import { SignInMembers } from "./SignInMembers.tsx"
import { signInPolicy } from "./signInPolicyQueries.ts"

const Policy = () => (
  <Asked query={useQuery(signInPolicy)} failed={texts.loadingTheSignInPolicyFailed}>
    {(policy) => (
      <>
        <Requirement policy={policy} />
        <SignInMembers mayChange={policy.may_change} />
      </>
    )}
  </Asked>
)

export const SignInPolicyPage = () => <AdminPage at="/admin/sign-in">{() => <Policy />}</AdminPage>
