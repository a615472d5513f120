"""Conversations for the tests of summaries: written for them, as people and assistants write.

A script has one message a line, "U:" for the user and "A:" for the assistant; other lines continue the message above.
"""

from datetime import UTC, datetime, timedelta

from recollect.records.message import Message, Role, Turn, turns_of

_START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
_ROLES = {"U": Role.USER, "A": Role.ASSISTANT, "S": Role.SYSTEM, "T": Role.TOOL}


def said(role: Role, text: str, position: int = 1, score: float | None = None) -> Message:
    """One message; without a score it has S0's: more for the user, for questions and for what is not short."""
    if score is None:
        score = 5.0 + (role is Role.USER) + ("?" in text) - (len(text) < 20)
    return Message(
        user_id="ada",
        message_id=f"m{position}",
        chat_id="chat",
        position=position,
        role=role,
        text=text,
        tokens=max(1, len(text) // 4),
        importance_score=score,
        created_at=_START + timedelta(minutes=position),
    )


def turns(script: str) -> list[Turn]:
    """The turns of a script."""
    messages: list[Message] = []
    for line in script.strip().splitlines():
        mark, _, text = line.partition(": ")
        if mark in _ROLES:
            messages.append(said(_ROLES[mark], text, len(messages) + 1))
        else:
            last = messages.pop()
            messages.append(said(last.role, f"{last.text}\n{line}", len(messages) + 1))
    return turns_of(messages)


CARE = """
U: Hi! I'm taking care of my father John, he is 78 and lives with me in Graz.
A: Hello! That's a big responsibility. I'm happy to help. How is he doing?
U: He has type 2 diabetes. He takes Metformin 500 mg twice a day.
A: Thanks for telling me. Is he allergic to anything?
U: Yes, penicillin. He had anaphylaxis in 2010.
A: That's very important. You should make sure every doctor and pharmacist knows about the penicillin allergy, and ask whether he should carry an emergency kit.
U: ok thanks
A: You're welcome! Is there anything else?
U: His last A1C was 7.2%. Is that good?
A: An A1C of 7.2% is slightly above the usual target of 7%, but for his age it is often considered acceptable.
U: great
A: Let me know if you have more questions.
U: What should he eat for breakfast?
A: I recommend oatmeal with nuts and berries, and avoiding white bread and juice in the morning. Would you like a weekly plan?
U: Maybe later. It's raining here all day, so we stay inside.
A: Sounds cosy!
U: My sister Jane visits three times a week. Her phone number is 555-1234, she's the emergency contact.
A: Noted. It's good that Jane can help.
U: haha yes she is the best
A: :)
U: His doctor is Dr. Huber at the LKH. The next appointment is on March 15 at 10:30.
A: I'll remind you the day before the appointment.
U: Perfect, thank you so much!
A: You're welcome.
U: Actually the appointment was moved to March 22.
A: Got it, March 22 then.
U: He sometimes forgets his evening dose. That worries me.
A: A pill organizer with an alarm is the best approach. You should also ask Dr. Huber whether a once-daily version is possible.
U: Good idea. I'll buy a pill organizer this weekend.
A: Great plan!
U: Can you tell me a joke to cheer him up?
A: Why did the scarecrow win an award? Because he was outstanding in his field!
U: lol
A: Glad you liked it!
U: He must not eat grapefruit because of his new blood pressure pills.
A: Right, grapefruit can interact with several blood pressure medications.
U: We haven't heard back from the insurance yet about the glucose monitor.
A: It may help to call them. You could try asking for a case number.
U: ok
A: Anything else?
U: Dr. Huber raised the Metformin to 850 mg twice a day.
A: Thanks, I'll note the new dose.
U: I'm a bit worried about his kidneys now. Should I be?
"""

VIOLIN = """
U: I've been playing the violin for six years and I'm preparing for an audition at the conservatory in Vienna.
A: How exciting! What pieces are you preparing?
U: The Bruch concerto, first movement, and Bach's Partita No. 2.
A: Wonderful choices. When is the audition?
U: On May 18.
A: That gives us time. What feels hardest right now?
U: My bow shakes at the tip, especially in soft passages. It gets worse when people listen.
A: Bow shake usually comes from tension in the shoulder and thumb. You should practise long slow bows at the tip with a metronome at 60, and release the thumb before each stroke.
U: Makes sense.
A: How long do you practise each day?
U: About two hours, but my left wrist starts to hurt after 45 minutes.
A: Pain is a warning. I'd suggest stopping every 25 minutes and seeing a physiotherapist if it continues.
U: My teacher Anna says I grip the neck too hard.
A: Anna is right to watch that. Try playing scales with the thumb barely touching the neck.
U: ok will do
A: Great!
U: What's your favourite violinist?
A: I don't have favourites, but Hilary Hahn is admired for her Bach.
U: I decided to drop the Paganini caprice, it's too much before May.
A: A wise decision. Focus on fewer pieces.
U: I can only practise between 6 and 8 pm because of the neighbours.
A: Then plan the hardest passages for the first half hour.
U: Memorising the Bach is my biggest problem, I keep getting lost in the Gigue.
A: Divide the Gigue into eight sections and start from random sections each day. The key is to be able to begin anywhere.
U: I'll try random starts tomorrow.
A: Good luck!
U: btw the sun finally came out
A: Lovely!
U: My goal is to play the whole program for friends by the end of April.
A: An excellent goal. I'd recommend three mock auditions before that.
"""

SOFTWARE = """
U: We're building a web shop for a bakery called Kornblume. The stack is FastAPI and React.
A: Nice! What database do you plan to use?
U: I decided on PostgreSQL 16 because our team knows it. The launch deadline is June 1.
A: PostgreSQL is a solid choice. I recommend using migrations from the first day.
U: How do I set up Alembic?
A: Here is a short guide:

```bash
pip install alembic
alembic init migrations
```

Then edit the `sqlalchemy.url` setting.
U: Thanks, that worked.
A: Great!
U: Our budget is 12,000 euros and we can't use any American cloud provider because of the client's data policy.
A: Then consider Hetzner or OVH. You should document the data policy in the repository.
U: We'll go with Hetzner.
A: Good choice.
U: The checkout fails with error 502 every time two orders arrive at once.
A: The problem is probably the connection pool: the default size is 5. You should raise the pool size to 20 and add a timeout.
U: That fixed it!
A: Glad to hear it.
U: can you write me a function to format prices
A: ```python
def price(cents: int) -> str:
    return f"{cents / 100:.2f} EUR"
```
U: thx
A: You're welcome!
U: Maria handles the frontend, and Tom left the team last week.
A: Thanks for the update. Who takes over Tom's part?
U: I do, so I have less time for the payment integration.
A: Then consider postponing invoices until after the launch.
U: Actually the launch deadline is July 15 now, the client agreed.
A: That gives you six more weeks.
U: Please remember that prices must always include 10% VAT.
A: Noted: prices include 10% VAT.
U: I still need to choose a payment provider.
A: Stripe and Mollie are common. Mollie is European, which fits your data policy.
"""

TRAVEL = """
U: We want to go to Japan for two weeks in October, my wife and I and our two kids, 6 and 9.
A: Wonderful! What is your budget?
U: 8,000 euros without flights.
A: What do you like to see?
U: Temples, trains and food. My wife is vegetarian and our son Leo is allergic to shellfish and peanuts.
A: Dashi, a fish stock, is in many dishes, so you should carry an allergy card in Japanese.
U: Good point!
A: Shall I draft a route?
U: Yes please.
A: Tokyo 5 nights, Kyoto 5 nights, Hiroshima 2 nights, Osaka 2 nights.
U: We booked the flights: October 4 with ANA, back on October 18.
A: Great. Reserve the hotels early, October is a busy month.
U: No hotel above 180 euros a night please.
A: Understood.
U: Let's skip Osaka, we prefer one more day in Hiroshima.
A: Then Hiroshima 3 nights and one more night in Kyoto.
U: wow thanks
A: You're welcome!
U: My wife gets seasick so no boat trips.
A: Then take the bridge route instead of the ferry.
U: We have to be back for my mother's birthday on October 19.
A: Your return on October 18 leaves one day of rest.
"""

GRIEF = """
U: I don't know how to start. My mother died three weeks ago.
A: I'm so sorry for your loss. Would you like to tell me about her?
U: Her name was Elena. She raised me and my brother Marco alone.
A: She sounds strong.
U: I keep crying at work and I'm not sleeping.
A: That is a normal part of grief. You should be gentle with yourself, and talk to a doctor if you can't sleep for long.
U: The funeral was on February 9 and I couldn't give the speech.
A: Many people can't. You could write her a letter instead.
U: Marco and I haven't spoken since the funeral. We argued about the house in Trieste.
A: Arguments after a loss are common.
U: I miss her so much.
A: Of course you do.
U: I will call Marco on Sunday.
A: That is a brave step.
U: Sometimes I think about killing myself.
A: Thank you for telling me. Please call a crisis line now, in Italy 02 2327 2327. Are you safe at this moment?
U: Yes, I'm safe. I promised my therapist to call her before I do anything.
A: I'm glad. Please call her today.
"""

GERMAN = """
U: Hallo! Mein Vater nimmt seit Januar 500 mg Metformin und ist allergisch gegen Penicillin.
A: Danke für die Information. Wie alt ist er?
U: Er ist 78 Jahre alt und wohnt allein in Graz.
A: Verstanden.
U: Danke!
A: Gerne.
U: Der nächste Termin beim Hausarzt ist am 3. Mai um 9:30 Uhr. Was soll ich mitbringen?
A: Bringen Sie die Medikamentenliste und die E-Card mit.
U: Wir haben uns gegen das Pflegeheim entschieden, weil er zu Hause bleiben will.
A: Das ist verständlich.
"""

SPANISH = """
U: Hola, estoy preparando una mudanza a Valencia en septiembre con mi hija Lucía de 4 años.
A: ¡Qué bien! ¿Cuál es tu presupuesto para el alquiler?
U: Como máximo 900 euros al mes. Mi hija es alérgica a los gatos.
A: Entendido.
U: gracias
A: De nada.
U: Mi hermana Carmen vive en Ruzafa y puede ayudarnos los fines de semana.
A: Ruzafa es un barrio muy animado.
"""

JAPANESE = """
U: こんにちは。父は78歳で、糖尿病です。毎朝メトホルミンを500mg飲んでいます。
A: 教えてくださってありがとうございます。アレルギーはありますか？
U: はい、ペニシリンのアレルギーがあります。
A: わかりました。
U: ありがとう。
A: どういたしまして。
U: 次の診察は4月10日です。何を持って行けばいいですか？
A: お薬手帳をお持ちください。
"""

#: What everyday talk sounds like; it fills the folds between two facts.
CHATTER = """
U: Good morning! The coffee is terrible today.
A: Good morning! I hope the next cup is better.
U: I watched a film about penguins on the couch.
A: Penguins are charming animals.
U: My neighbour Paul bought a red bicycle and rides it around the block.
A: That sounds fun.
U: What is the capital of Australia?
A: The capital of Australia is Canberra.
U: I want to bake bread on Saturday with 500 g of rye flour.
A: You should let the dough rest for two hours.
U: Our team meeting was moved to Tuesday at 14:00.
A: Noted.
U: I prefer tea in the afternoon.
A: A good habit.
U: haha ok
A: :)
"""
