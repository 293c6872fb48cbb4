-- A change of an account's state names no seller: whom it is about is said by the subscription alone.
CREATE POLICY system ON marketplace.subscription USING ((SELECT current_setting('app.scope', true)) = 'system');
CREATE INDEX subscription_number ON marketplace.subscription (subscription_id);
