# Makes a book by the library of GnuCash, saves one as SQLite, and states what GnuCash itself says of one.
# gnucash_book.py make FILE SEED [TRANSACTIONS DOCUMENTS PEOPLE] | sqlite FILE DATABASE | state FILE
import datetime
import gzip
import json
import random
import sys

import gnucash
from gnucash import Account, GncNumeric, Session, SessionOpenMode, Split, Transaction
from gnucash.gnucash_business import Bill, Customer, Entry, Invoice, Job, TaxTable, TaxTableEntry, Vendor
from gnucash.gnucash_core_c import (
    ACCT_TYPE_ASSET, ACCT_TYPE_BANK, ACCT_TYPE_CREDIT, ACCT_TYPE_EQUITY, ACCT_TYPE_EXPENSE, ACCT_TYPE_INCOME, ACCT_TYPE_LIABILITY,
    ACCT_TYPE_PAYABLE, ACCT_TYPE_RECEIVABLE,
)

# A scheduled transaction, which the library cannot make: GnuCash keeps it as a transaction of an account of its own.
SCHEDULED = """<gnc:template-transactions>
<gnc:account version="2.0.0">
  <act:name>b0000000000000000000000000000001</act:name><act:id type="guid">b0000000000000000000000000000002</act:id><act:type>BANK</act:type>
  <act:commodity><cmdty:space>template</cmdty:space><cmdty:id>template</cmdty:id></act:commodity><act:commodity-scu>1</act:commodity-scu>
</gnc:account>
<gnc:transaction version="2.0.0">
  <trn:id type="guid">b0000000000000000000000000000003</trn:id>
  <trn:currency><cmdty:space>CURRENCY</cmdty:space><cmdty:id>EUR</cmdty:id></trn:currency>
  <trn:date-posted><ts:date>2025-01-01 10:59:00 +0000</ts:date></trn:date-posted>
  <trn:date-entered><ts:date>2025-01-01 10:59:00 +0000</ts:date></trn:date-entered>
  <trn:description>Rent</trn:description>
  <trn:splits>
    <trn:split>
      <split:id type="guid">b0000000000000000000000000000004</split:id><split:reconciled-state>n</split:reconciled-state>
      <split:value>0/100</split:value><split:quantity>0/1</split:quantity><split:account type="guid">b0000000000000000000000000000002</split:account>
    </trn:split>
  </trn:splits>
</gnc:transaction>
</gnc:template-transactions>
<gnc:schedxaction version="2.0.0">
  <sx:id type="guid">b0000000000000000000000000000001</sx:id><sx:name>Rent</sx:name><sx:enabled>y</sx:enabled>
  <sx:autoCreate>n</sx:autoCreate><sx:autoCreateNotify>n</sx:autoCreateNotify><sx:advanceCreateDays>0</sx:advanceCreateDays>
  <sx:advanceRemindDays>0</sx:advanceRemindDays><sx:instanceCount>1</sx:instanceCount><sx:start><gdate>2025-01-01</gdate></sx:start>
  <sx:templ-acct type="guid">b0000000000000000000000000000002</sx:templ-acct>
  <sx:schedule>
    <gnc:recurrence version="1.0.0">
      <recurrence:mult>1</recurrence:mult><recurrence:period_type>month</recurrence:period_type>
      <recurrence:start><gdate>2025-01-01</gdate></recurrence:start>
    </gnc:recurrence>
  </sx:schedule>
</gnc:schedxaction>
"""


class Maker:
    def __init__(self, book, seed, transactions=400, documents=330, people=12):
        self.book = book
        self.transactions, self.documents, self.people = transactions, documents, people
        self.draw = random.Random(seed)
        table = book.get_table()
        self.eur = table.lookup('CURRENCY', 'EUR')
        self.usd = table.lookup('CURRENCY', 'USD')
        self.accounts = {}

    def account(self, name, kind, parent=None, currency=None, code=''):
        account = Account(self.book)
        (parent or self.book.get_root_account()).append_child(account)
        account.SetName(name)
        account.SetType(kind)
        account.SetCommodity(currency or self.eur)
        account.SetCode(code)
        self.accounts[name] = account
        return account

    def day(self):
        return datetime.date(2025, 1, 1) + datetime.timedelta(days=self.draw.randrange(365))

    def transaction(self, currency, text, splits):
        transaction = Transaction(self.book)
        transaction.BeginEdit()
        transaction.SetCurrency(currency)
        day = self.day()
        transaction.SetDate(day.day, day.month, day.year)
        transaction.SetDescription(text)
        transaction.SetNum(str(self.draw.randrange(10000)))
        for account, value, quantity in splits:
            split = Split(self.book)
            split.SetParent(transaction)
            split.SetAccount(account)
            split.SetValue(GncNumeric(value, 100))
            split.SetAmount(GncNumeric(quantity, 100))
            split.SetMemo(self.draw.choice(['', 'Möbel & "Öl" <1>']))
        transaction.CommitEdit()

    def entries(self, document, is_sale, is_credit, accounts, table):
        for _ in range(self.draw.randrange(1, 5)):
            entry = Entry(self.book, document)
            entry.SetDate(datetime.datetime(2025, 1, 1, 12))
            entry.SetDescription(self.draw.choice(['Chair', 'Tisch', 'Work & travel']))
            entry.SetDocQuantity(GncNumeric(self.draw.randrange(1, 3000), self.draw.choice([1, 100])), is_credit)
            account = self.draw.choice(accounts)
            price = GncNumeric(self.draw.randrange(1, 500000), 100)
            is_taxed, is_included = self.draw.random() < 0.7, self.draw.random() < 0.3
            if is_sale:
                entry.SetInvAccount(account)
                entry.SetInvPrice(price)
                entry.SetInvTaxable(is_taxed)
                entry.SetInvTaxIncluded(is_included)
                if is_taxed:
                    entry.SetInvTaxTable(table)
                if self.draw.random() < 0.2:
                    entry.SetInvDiscount(GncNumeric(self.draw.randrange(1, 20)))
            else:
                entry.SetBillAccount(account)
                entry.SetBillPrice(price)
                entry.SetBillTaxable(is_taxed)
                entry.SetBillTaxIncluded(is_included)
                if is_taxed:
                    entry.SetBillTaxTable(table)

    def make(self):
        draw = self.draw
        assets = self.account('Assets', ACCT_TYPE_ASSET, code='1000')
        bank = self.account('Bank', ACCT_TYPE_BANK, assets, code='1200')
        dollars = self.account('Dollars', ACCT_TYPE_BANK, assets, self.usd, '1210')
        card = self.account('Card', ACCT_TYPE_CREDIT, code='2100')
        receivable = self.account('Receivable', ACCT_TYPE_RECEIVABLE, assets, code='1400')
        payable = self.account('Payable', ACCT_TYPE_PAYABLE, code='2000')
        tax = self.account('Tax', ACCT_TYPE_LIABILITY, code='2300')
        capital = self.account('Capital', ACCT_TYPE_EQUITY, code='3000')
        sales = [self.account(f'Sales {number}', ACCT_TYPE_INCOME, code=f'40{number}0') for number in range(3)]
        costs = [self.account(f'Costs {number}', ACCT_TYPE_EXPENSE, code=f'50{number}0') for number in range(3)]
        abroad = self.account('Costs abroad', ACCT_TYPE_EXPENSE, currency=self.usd, code='5900')
        gnucash.gnucash_core_c.xaccAccountSetHidden(abroad.instance, True)
        for number in range(self.transactions):
            value = draw.randrange(1, 10000000)
            kind = draw.random()
            if kind < 0.6:
                part = draw.randrange(value)
                self.transaction(self.eur, f'Entry {number}', [
                    (draw.choice(costs), value, value), (draw.choice([bank, card]), part - value, part - value), (capital, -part, -part),
                ])
            elif kind < 0.75:
                self.transaction(self.eur, f'Dollars {number}', [(dollars, value, value * 9 // 8), (bank, -value, -value)])
            elif kind < 0.95:
                self.transaction(self.usd, f'Back {number}', [(dollars, -value, -value), (bank, value, value * 8 // 9)])
            else:
                self.transaction(self.usd, f'Abroad {number}', [(abroad, value, value), (dollars, -value, -value)])
        table = TaxTable(self.book, 'VAT', TaxTableEntry(tax, True, GncNumeric(19)))
        customers, vendors = [], []
        for number in range(self.people):
            for people, kind in ((customers, Customer), (vendors, Vendor)):
                person = kind(self.book, str(number), self.eur, f'{kind.__name__} {number} & Söhne')
                address = person.GetAddr()
                address.SetName(f'Ada {number}')
                address.SetAddr1(f'{number} High Street')
                address.SetAddr2('Hamburg')
                address.SetEmail(f'ada{number}@example.com')
                address.SetPhone(f'+49 40 {number}')
                people.append(person)
        for number in range(self.documents):
            is_sale, is_credit = draw.random() < 0.6, draw.random() < 0.15
            owner = draw.choice(customers if is_sale else vendors)
            if draw.random() < 0.2:
                owner = Job(self.book, f'J{number}', owner, f'Job {number}')
            document = (Invoice if is_sale else Bill)(self.book, f'{"S" if is_sale else "P"}{number:05}', self.eur, owner)
            document.SetDateOpened(datetime.datetime(2025, 1, 1, 12))
            document.SetIsCreditNote(is_credit)
            document.SetNotes(draw.choice(['', 'Thanks']))
            self.entries(document, is_sale, is_credit, sales if is_sale else costs, table)
            if draw.random() < 0.1:
                continue
            day = self.day()
            posted, due = (datetime.datetime(date.year, date.month, date.day, 12) for date in (day, day + datetime.timedelta(days=30)))
            document.PostToAccount(receivable if is_sale else payable, posted, due, 'posted', draw.random() < 0.5, False)
            if draw.random() < 0.5:
                total = document.GetTotal()
                paid = GncNumeric(total.num() if draw.random() < 0.6 else total.num() // 2, total.denom())
                sign = 1 if is_sale != is_credit else -1
                document.ApplyPayment(None, bank, GncNumeric(sign * paid.num(), paid.denom()), GncNumeric(1), due, 'payment', '')
        # Paid before there is an invoice.
        day = datetime.datetime(2025, 6, 1, 12)
        customers[0].ApplyPayment(None, None, receivable, bank, GncNumeric(5000, 100), GncNumeric(1), day, 'in advance', '', False)


def text(number):
    # Some members come without their class.
    if not isinstance(number, GncNumeric):
        number = GncNumeric(instance=number)
    return f'{number.num()}/{number.denom()}'


def state(book):
    root = book.get_root_account()
    accounts, transactions, foreign, splits = {}, set(), set(), 0
    for account in root.get_descendants():
        accounts[account.GetGUID().to_string()] = {
            'name': account.GetName(), 'code': account.GetCode(), 'currency': account.GetCommodity().get_mnemonic(),
            'balance': text(account.GetBalance()),
        }
        for split in account.GetSplitList():
            transaction = split.GetParent()
            transactions.add(transaction.GetGUID().to_string())
            currencies = {part.GetAccount().GetCommodity().get_mnemonic() for part in transaction.GetSplitList()}
            if currencies == {'USD'}:
                foreign.add(transaction.GetGUID().to_string())
            else:
                splits += 1
    documents = {}
    query = gnucash.Query()
    query.search_for('gncInvoice')
    query.set_book(book)
    for found in query.run():
        document = Invoice(instance=found)
        owner = document.GetOwner()
        lot = document.GetPostedLot()
        customer = owner.GetOwner() if isinstance(owner, Job) else owner
        is_sale = isinstance(customer, Customer)
        documents[document.GetID()] = {
            'owner': customer.GetName(), 'isPosted': document.IsPosted(), 'isPaid': document.IsPaid(),
            'isSale': is_sale, 'isCredit': document.GetIsCreditNote(), 'total': text(document.GetTotal()), 'net': text(document.GetTotalSubtotal()),
            'tax': text(document.GetTotalTax()), 'due': text(lot.get_balance()) if lot else None,
            'posted': str(document.GetDatePosted())[:10] if document.IsPosted() else None,
            'dueDay': str(document.GetDateDue())[:10] if document.IsPosted() else None,
            'entries': [
                [
                    entry.GetDescription(), text(entry.GetDocQuantity(document.GetIsCreditNote())),
                    text(entry.GetInvPrice() if is_sale else entry.GetBillPrice()),
                    (entry.GetInvAccount() if is_sale else entry.GetBillAccount()).GetGUID().to_string(),
                ]
                for entry in document.GetEntries()
            ],
        }
    query.destroy()
    return {'accounts': accounts, 'transactions': len(transactions), 'foreign': len(foreign), 'splits': splits, 'documents': documents}


def save_as_sqlite(file, database):
    session = Session(f'xml://{file}', SessionOpenMode.SESSION_NORMAL_OPEN)
    # Only a book that has changed is saved.
    root = session.book.get_root_account()
    root.SetNotes('changed')
    root.SetNotes('')
    saved = Session()
    saved.begin(f'sqlite3://{database}', SessionOpenMode.SESSION_NEW_OVERWRITE)
    session.swap_data(saved)
    saved.save()
    saved.end()
    session.end()


def schedule(file):
    with gzip.open(file, 'rt', encoding='utf-8') as book:
        before, mark, after = book.read().partition('<gnc:GncCustomer')
    with gzip.open(file, 'wt', encoding='utf-8') as book:
        book.write(before + SCHEDULED + mark + after)


command, file, *options = sys.argv[1:]
if command == 'make':
    session = Session(f'xml://{file}', SessionOpenMode.SESSION_NEW_STORE)
    Maker(session.book, *map(int, options)).make()
    session.save()
    session.end()
    schedule(file)
elif command == 'sqlite':
    save_as_sqlite(file, *options)
else:
    session = Session(f'xml://{file}', SessionOpenMode.SESSION_READ_ONLY)
    print(json.dumps(state(session.book)))
    session.end()
