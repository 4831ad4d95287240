// Written by `npm run contracts` from the schema.

/** The fields that are connections, by type, and which of their arguments tell one list from another. */
export const connections: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
 "Account": {
  "bankTransactions": [
   "filter",
   "orderBy"
  ],
  "expenses": [
   "filter",
   "orderBy"
  ],
  "lineItems": [
   "filter",
   "orderBy"
  ],
  "payments": [
   "filter",
   "orderBy"
  ],
  "subAccounts": [
   "filter",
   "orderBy"
  ]
 },
 "BankTransaction": {
  "attachments": [
   "filter",
   "orderBy"
  ]
 },
 "Bill": {
  "attachments": [
   "filter",
   "orderBy"
  ],
  "billCreditNotes": [
   "filter",
   "orderBy"
  ],
  "paymentAllocations": [
   "filter",
   "orderBy"
  ]
 },
 "BillCreditNote": {
  "attachments": [
   "filter",
   "orderBy"
  ],
  "paymentAllocations": [
   "filter",
   "orderBy"
  ]
 },
 "BusinessEntity": {
  "governmentIdentifiers": [
   "filter",
   "orderBy"
  ]
 },
 "Company": {
  "accounts": [
   "filter",
   "includeDeleted",
   "orderBy"
  ],
  "addresses": [
   "filter",
   "includeDeleted",
   "orderBy"
  ],
  "bankTransactions": [
   "filter",
   "includeDeleted",
   "orderBy"
  ],
  "billCreditNotes": [
   "filter",
   "includeDeleted",
   "orderBy"
  ],
  "bills": [
   "filter",
   "includeDeleted",
   "orderBy"
  ],
  "cashFlowStatements": [
   "filter",
   "includeDeleted",
   "orderBy"
  ],
  "connections": [
   "filter",
   "orderBy"
  ],
  "contacts": [
   "filter",
   "includeDeleted",
   "orderBy"
  ],
  "currencies": [
   "filter",
   "includeDeleted",
   "orderBy"
  ],
  "disconnectRequests": [
   "filter",
   "orderBy"
  ],
  "estimates": [
   "filter",
   "includeDeleted",
   "orderBy"
  ],
  "expenses": [
   "filter",
   "includeDeleted",
   "orderBy"
  ],
  "externalLinks": [
   "filter",
   "includeDeleted",
   "orderBy"
  ],
  "goodsReceiptNotes": [
   "filter",
   "includeDeleted",
   "orderBy"
  ],
  "inboxFiles": [
   "filter",
   "orderBy"
  ],
  "invoiceCreditNotes": [
   "filter",
   "includeDeleted",
   "orderBy"
  ],
  "invoices": [
   "filter",
   "includeDeleted",
   "orderBy"
  ],
  "items": [
   "filter",
   "includeDeleted",
   "orderBy"
  ],
  "journalEntries": [
   "filter",
   "includeDeleted",
   "orderBy"
  ],
  "lineItems": [
   "filter",
   "includeDeleted",
   "orderBy"
  ],
  "paymentAllocations": [
   "filter",
   "includeDeleted",
   "orderBy"
  ],
  "payments": [
   "filter",
   "includeDeleted",
   "orderBy"
  ],
  "phoneNumbers": [
   "filter",
   "includeDeleted",
   "orderBy"
  ],
  "pipelineStages": [
   "filter",
   "includeDeleted",
   "orderBy"
  ],
  "pipelines": [
   "filter",
   "includeDeleted",
   "orderBy"
  ],
  "postings": [
   "filter"
  ],
  "purchaseOrders": [
   "filter",
   "includeDeleted",
   "orderBy"
  ],
  "syncs": [
   "configMode",
   "filter",
   "jobType",
   "orderBy",
   "status",
   "syncType"
  ],
  "taxRates": [
   "filter",
   "includeDeleted",
   "orderBy"
  ],
  "variants": [
   "filter",
   "includeDeleted",
   "orderBy"
  ]
 },
 "Contact": {
  "bankTransactions": [
   "filter",
   "orderBy"
  ],
  "billCreditNotes": [
   "filter",
   "orderBy"
  ],
  "bills": [
   "filter",
   "orderBy"
  ],
  "estimates": [
   "filter",
   "orderBy"
  ],
  "expenses": [
   "filter",
   "orderBy"
  ],
  "goodsReceiptNotes": [
   "filter",
   "orderBy"
  ],
  "invoiceCreditNotes": [
   "filter",
   "orderBy"
  ],
  "invoices": [
   "filter",
   "orderBy"
  ],
  "payments": [
   "filter",
   "orderBy"
  ],
  "purchaseOrders": [
   "filter",
   "orderBy"
  ]
 },
 "Corporation": {
  "files": [
   "filter",
   "orderBy"
  ],
  "importJobs": [
   "filter",
   "orderBy"
  ],
  "products": [
   "filter",
   "orderBy"
  ],
  "registrations": [
   "filter",
   "orderBy"
  ]
 },
 "Estimate": {
  "attachments": [
   "filter",
   "orderBy"
  ]
 },
 "Event": {
  "deliveries": [
   "filter",
   "orderBy"
  ]
 },
 "Expense": {
  "attachments": [
   "filter",
   "orderBy"
  ],
  "paymentAllocations": [
   "filter",
   "orderBy"
  ]
 },
 "GoodsReceiptNote": {
  "attachments": [
   "filter",
   "orderBy"
  ]
 },
 "Invoice": {
  "attachments": [
   "filter",
   "orderBy"
  ],
  "invoiceCreditNotes": [
   "filter",
   "orderBy"
  ],
  "paymentAllocations": [
   "filter",
   "orderBy"
  ]
 },
 "InvoiceCreditNote": {
  "attachments": [
   "filter",
   "orderBy"
  ],
  "paymentAllocations": [
   "filter",
   "orderBy"
  ]
 },
 "Item": {
  "lineItems": [
   "filter",
   "orderBy"
  ]
 },
 "JournalEntry": {
  "attachments": [
   "filter",
   "orderBy"
  ],
  "paymentAllocations": [
   "filter",
   "orderBy"
  ]
 },
 "Payment": {
  "attachments": [
   "filter",
   "orderBy"
  ]
 },
 "PurchaseOrder": {
  "attachments": [
   "filter",
   "orderBy"
  ],
  "bills": [
   "filter",
   "orderBy"
  ],
  "goodsReceiptNotes": [
   "filter",
   "orderBy"
  ]
 },
 "Query": {
  "accessKeyConnection": [
   "filter",
   "orderBy",
   "organisationName"
  ],
  "businessEntities": [
   "filter",
   "orderBy"
  ],
  "companies": [
   "filter",
   "orderBy"
  ],
  "corporations": [
   "filter",
   "orderBy"
  ],
  "disconnectRequests": [
   "companyId",
   "filter",
   "integrationType",
   "orderBy",
   "status"
  ],
  "events": [
   "filter",
   "orderBy"
  ],
  "files": [
   "filter",
   "orderBy"
  ],
  "importJobs": [
   "filter",
   "orderBy"
  ],
  "incorporationRequests": [
   "filter",
   "orderBy"
  ],
  "products": [
   "corporationId",
   "filter",
   "orderBy"
  ],
  "webhookDeliveries": [
   "filter",
   "orderBy"
  ],
  "webhooks": [
   "filter",
   "orderBy"
  ]
 },
 "StoredFile": {
  "importJobs": [
   "filter",
   "orderBy"
  ]
 },
 "Sync": {
  "jobs": [
   "dataModel",
   "filter",
   "jobType",
   "orderBy",
   "status"
  ]
 },
 "TaxRate": {
  "lineItems": [
   "filter",
   "orderBy"
  ]
 },
 "Variant": {
  "lineItems": [
   "filter",
   "orderBy"
  ]
 },
 "Webhook": {
  "deliveries": [
   "filter",
   "orderBy"
  ]
 }
};

/** The names of fields that hold a Decimal: in every type that has the name, or in these alone. */
export const decimals: Readonly<Record<string, true | readonly string[]>> = {
 "amount": [
  "AgedBucket",
  "BankTransaction",
  "BankTransactionAmounts",
  "BankTransactionBounds",
  "JurisdictionSales",
  "PaymentAllocation",
  "PaymentAllocationAmounts",
  "PaymentAllocationBounds",
  "Posting",
  "ReportRow"
 ],
 "amountDue": true,
 "attemptsLeft": [
  "WebhookDeliveryAmounts"
 ],
 "baseAmount": true,
 "breakdown": [
  "CashFlowSection",
  "ReportRow",
  "ReportSection",
  "TrialBalanceRow"
 ],
 "cashAtBeginningOfPeriod": true,
 "cashAtEndOfPeriod": true,
 "closingBalance": true,
 "compareAtPrice": true,
 "comparisons": [
  "CashFlowSection",
  "ReportRow",
  "ReportSection",
  "TrialBalanceRow"
 ],
 "credit": true,
 "currencyRate": true,
 "currentBalance": true,
 "debit": true,
 "difference": true,
 "discountAmount": true,
 "displayOrder": [
  "PipelineStageAmounts"
 ],
 "effectiveTaxRate": true,
 "exchangeRate": true,
 "gateway": true,
 "netChange": true,
 "netProfit": true,
 "openingBalance": true,
 "position": [
  "Address",
  "ExternalLink",
  "LineItem",
  "PaymentAllocation",
  "PhoneNumber",
  "PipelineStage",
  "Variant"
 ],
 "price": true,
 "probability": true,
 "quantity": true,
 "quantityOnHand": true,
 "rate": true,
 "recordsSynced": [
  "SyncJobAmounts"
 ],
 "remainingCredit": true,
 "retryCount": [
  "SyncJobAmounts"
 ],
 "shippingAmount": true,
 "source": [
  "SourceTrialBalanceRow"
 ],
 "subTotal": true,
 "subtotal": true,
 "subtotalBreakdown": true,
 "subtotalComparisons": true,
 "taxAmount": true,
 "total": [
  "AgedReport",
  "AgedRow",
  "CashFlowSection",
  "ReportColumn",
  "ReportComparison",
  "ReportSection"
 ],
 "totalAmount": true,
 "totalAssets": true,
 "totalCredit": true,
 "totalDebit": true,
 "totalDiscount": true,
 "totalEquity": true,
 "totalLiabilities": true,
 "totalTaxRate": true,
 "totalUnclassified": true,
 "unitAmount": true,
 "value": [
  "ThresholdAmount"
 ],
 "volumeInLiters": true,
 "weightInKg": true
};

/** The root fields that read one record by its id, and its type. */
export const lookups: Readonly<Record<string, string>> = {
 "company": "Company",
 "connection": "Connection",
 "corporation": "Corporation",
 "file": "StoredFile",
 "importJob": "ImportJob",
 "incorporationRequest": "IncorporationRequest",
 "product": "Product",
 "sync": "Sync",
 "webhook": "Webhook"
};

/** The types that an interface or a union stands for. */
export const possibleTypes: Readonly<Record<string, readonly string[]>> = {
 "AddressParentRecord": [
  "Bill",
  "BillCreditNote",
  "Contact",
  "Invoice"
 ],
 "AttachmentDocumentRecord": [
  "BankTransaction",
  "Bill",
  "BillCreditNote",
  "Estimate",
  "Expense",
  "GoodsReceiptNote",
  "Invoice",
  "InvoiceCreditNote",
  "JournalEntry",
  "Payment",
  "PurchaseOrder"
 ],
 "Document": [
  "BankTransaction",
  "Bill",
  "BillCreditNote",
  "Estimate",
  "Expense",
  "GoodsReceiptNote",
  "Invoice",
  "InvoiceCreditNote",
  "JournalEntry",
  "Payment",
  "PurchaseOrder"
 ],
 "LedgerRecord": [
  "Account",
  "Address",
  "BankTransaction",
  "Bill",
  "BillCreditNote",
  "CashFlowStatement",
  "Contact",
  "Estimate",
  "Expense",
  "ExternalLink",
  "GoodsReceiptNote",
  "Invoice",
  "InvoiceCreditNote",
  "Item",
  "JournalEntry",
  "LineItem",
  "Payment",
  "PaymentAllocation",
  "PhoneNumber",
  "Pipeline",
  "PipelineStage",
  "PurchaseOrder",
  "TaxRate",
  "Variant"
 ],
 "LineItemParentRecord": [
  "Bill",
  "BillCreditNote",
  "Estimate",
  "Expense",
  "GoodsReceiptNote",
  "Invoice",
  "InvoiceCreditNote",
  "JournalEntry",
  "PurchaseOrder"
 ],
 "Node": [
  "Account",
  "Address",
  "Attachment",
  "BankTransaction",
  "Bill",
  "BillCreditNote",
  "BusinessEntity",
  "BusinessEntityRegistration",
  "CashFlowStatement",
  "Company",
  "Connection",
  "Contact",
  "Corporation",
  "Currency",
  "DisconnectRequest",
  "Estimate",
  "Event",
  "Expense",
  "ExternalLink",
  "GoodsReceiptNote",
  "GovernmentIdentifier",
  "ImportJob",
  "InboxFile",
  "IncorporationRequest",
  "Invoice",
  "InvoiceCreditNote",
  "Item",
  "JournalEntry",
  "LineItem",
  "Payment",
  "PaymentAllocation",
  "PhoneNumber",
  "Pipeline",
  "PipelineStage",
  "Product",
  "PurchaseOrder",
  "Registration",
  "StoredFile",
  "Sync",
  "SyncJob",
  "TaxRate",
  "Variant",
  "Webhook",
  "WebhookAttempt",
  "WebhookDelivery"
 ],
 "PaymentAllocationDocumentRecord": [
  "Bill",
  "BillCreditNote",
  "Expense",
  "Invoice",
  "InvoiceCreditNote",
  "JournalEntry"
 ],
 "SourcedRecord": [
  "Account",
  "BankTransaction",
  "Bill",
  "BillCreditNote",
  "CashFlowStatement",
  "Contact",
  "Estimate",
  "Expense",
  "GoodsReceiptNote",
  "Invoice",
  "InvoiceCreditNote",
  "Item",
  "JournalEntry",
  "Payment",
  "Pipeline",
  "PurchaseOrder",
  "TaxRate"
 ]
};
