// The guide's flow with the client of oapi-codegen.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	api "contract/client"
)

func must[A any](value A, err error) A {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func expect(right bool, what string) {
	if !right {
		log.Fatal(what)
	}
}

// The answer of the status that the operation succeeds with.
func done[A any](value *A, response *http.Response, body []byte) *A {
	if value == nil {
		log.Fatalf("%s: %s", response.Status, body)
	}
	return value
}

func fieldInput(make func(*api.FieldDefinitionInput) error) api.FieldInput {
	var definition api.FieldDefinitionInput
	check(make(&definition))
	var input api.FieldInput
	check(input.FromFieldDefinitionInput(definition))
	return input
}

func text(value string) *api.FieldValueInput {
	var input api.FieldValueInput
	check(input.FromSingleTextValueInput(value))
	return &input
}

func number(value float64) *api.FieldValueInput {
	var plain api.NumberValueInput
	check(plain.FromNumberValueInput0(value))
	var input api.FieldValueInput
	check(input.FromNumberValueInput(plain))
	return &input
}

func weightOf(written *api.WrittenRecord) (api.AppRecord, float64) {
	record := must(written.AsRecord())
	for _, field := range record.Fields {
		if must(field.Discriminator()) == "number" {
			return record, float64(must(field.AsNumberRecordField()).Values[0].Value)
		}
	}
	log.Fatal("no weight")
	return record, 0
}

func main() {
	ctx := context.Background()
	token := "Bearer " + os.Getenv("MILLRACE_TOKEN")
	client := must(api.NewClientWithResponses(os.Getenv("MILLRACE_URL"),
		api.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", token)
			return nil
		})))

	listed := must(client.WorkspacesListWithResponse(ctx))
	workspaces := done(listed.JSON200, listed.HTTPResponse, listed.Body)

	title := api.SingleTextFieldInput{}
	title.Config.Label = "Title"
	weight := api.NumberFieldInput{}
	weight.Config.Label = "Weight"
	decimals, unit := 1, "kg"
	weight.Config.Settings = &api.NumberSettingsInput{Decimals: &decimals, Unit: &unit}
	fields := []api.FieldInput{
		fieldInput(func(input *api.FieldDefinitionInput) error { return input.FromSingleTextFieldInput(title) }),
		fieldInput(func(input *api.FieldDefinitionInput) error { return input.FromNumberFieldInput(weight) }),
	}
	made := must(client.AppsCreateWithResponse(ctx, nil, api.AppCreate{
		WorkspaceId: workspaces.Workspaces[0].WorkspaceId, Name: "Parcels", Fields: &fields}))
	app := done(made.JSON200, made.HTTPResponse, made.Body)
	weightField := must(app.Fields[1].AsNumberField())
	expect(*weightField.Config.Settings.Unit == "kg", "unit")

	key := "parcel-1"
	create := must(client.RecordsCreateWithResponse(ctx, app.AppId, &api.RecordsCreateParams{IdempotencyKey: &key},
		api.RecordInput{Fields: api.FieldInputs{"title": text("Crate"), "weight": number(411.5)}}))
	record, value := weightOf(done(create.JSON200, create.HTTPResponse, create.Body))
	expect(value == 411.5, "the weight that was written")

	revision := fmt.Sprint(record.Revision)
	update := must(client.RecordsUpdateWithResponse(ctx, record.RecordId, &api.RecordsUpdateParams{IfMatch: &revision},
		api.RecordInput{Fields: api.FieldInputs{"weight": number(412)}}))
	_, value = weightOf(done(update.JSON200, update.HTTPResponse, update.Body))
	expect(value == 412, "the weight that was changed")

	page := must(client.ListingsOfAppWithResponse(ctx, app.AppId, nil))
	expect(done(page.JSON200, page.HTTPResponse, page.Body).Total == 1, "one record")

	hook := must(client.WebhooksCreateWithResponse(ctx, app.AppId, nil,
		api.WebhooksCreateJSONRequestBody{Type: api.HookTypeRecordUpdate, Url: "https://app.example.com/hooks"}))
	expect(done(hook.JSON200, hook.HTTPResponse, hook.Body).Status == api.HookStatusInactive, "an inactive hook")

	var subject api.Reference
	check(subject.FromFieldReference(api.FieldReference{
		Kind: "variable", Source: "field", FieldId: weightField.FieldId, FieldType: "number"}))
	var limit api.CodeValue
	check(limit.FromCodeValue0("300"))
	var heavier api.FilterValue
	check(heavier.FromNumberFilterValue(api.NumberFilterValue{Number: limit}))
	var row api.FilterRow
	check(row.FromFilterCondition(api.FilterCondition{Subject: subject, Operator: "greater_than", Value: &heavier}))
	var content api.TemplateValue
	check(content.FromTemplateValue0("Heavy"))
	comment := api.CurrentRecordCommentCreateAction{}
	comment.Config.CommentContent = &content
	var action api.Action
	check(action.FromCurrentRecordCommentCreateAction(comment))
	var trigger api.Trigger
	check(trigger.FromRecordUpdatedTrigger(api.RecordUpdatedTrigger{}))
	automate := must(client.AutomationsCreateWithResponse(ctx, app.AppId, nil, api.AutomationCreate{
		Name: "Remark on heavy parcels", Trigger: &trigger, Actions: &api.Actions{action},
		Filter: &api.FilterGroup{Operator: "and", Rows: []api.FilterRow{row}}}))
	automation := done(automate.JSON201, automate.HTTPResponse, automate.Body).Automation

	activate := must(client.AutomationsActivateWithResponse(ctx, automation.Id, nil))
	done(activate.JSON200, activate.HTTPResponse, activate.Body)
	run := must(client.AutomationRunsManualRunWithResponse(ctx, automation.Id, nil,
		api.AutomationRunCreate{RecordId: &record.RecordId}))
	done(run.JSON202, run.HTTPResponse, run.Body)
	for until := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) {
		search := must(client.AutomationRunsListAutomationWithResponse(ctx, automation.Id, nil, api.PageRequest{}))
		runs := done(search.JSON200, search.HTTPResponse, search.Body).AutomationRuns
		if len(runs) > 0 && runs[0].Status == api.AutomationRunStatusCompleted {
			break
		}
		expect(time.Now().Before(until), "the run completes")
	}

	missing := must(client.RecordsGetWithResponse(ctx, 999_999_999, nil))
	expect(missing.JSON404 != nil && missing.JSON404.ErrorCode == "record_not_exists", "a 404 that is told by its code")
	fmt.Println("done")
}
